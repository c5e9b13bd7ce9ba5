import { type Beginning, beginnings, type CompletedCommand, quoted } from './words.ts'

/** Looks at the words in front of the cursor: the first case that fits decides. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  return `_petstore() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local before="\${COMP_WORDS[*]:1:COMP_CWORD-1} " words=''
  COMPREPLY=()
  case "$before" in
${[...commands.map(commandCase), ...beginnings(commands).map(wordsCase)].join('\n')}
  esac
  [[ -n $words ]] && COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _petstore petstore`
}

function commandCase({ name, options }: CompletedCommand): string {
  const choices = options
    .filter((option) => option.takesValue)
    .map(({ flag, choices: known }) => `${flag}) words=${quoted(known?.join(' ') ?? '')};;`)
  const flags = `[[ $current == -* ]] && words=${quoted(options.map(({ flag }) => flag).join(' '))}`
  const rest = choices.length === 0 ? flags : `case "$previous" in ${choices.join(' ')} *) ${flags};; esac`
  return `    ${quoted(`${name} `)}*) ${rest};;`
}

function wordsCase([beginning, next]: Beginning): string {
  const pattern = beginning === '' ? "' '" : quoted(`${beginning} `)
  return `    ${pattern}) words=${quoted(next.map(({ word }) => word).join(' '))};;`
}
