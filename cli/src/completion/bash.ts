import { type Beginning, beginnings, type CompletedCommand, knownArguments, quoted } from './words.ts'

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

function commandCase(command: CompletedCommand): string {
  const { name, options } = command
  const choices = options
    .filter((option) => option.takesValue)
    .map(({ flag, choices: known }) => `${flag}) words=${quoted(known?.join(' ') ?? '')};;`)
  const flags = `if [[ $current == -* ]]; then words=${quoted(options.map(({ flag }) => flag).join(' '))}`
  const known = knownArguments(command).map(
    ({ place, choices: values }) => `; elif ((COMP_CWORD == ${place})); then words=${quoted(values.join(' '))}`,
  )
  const words = `${flags}${known.join('')}; fi`
  const rest = choices.length === 0 ? words : `case "$previous" in ${choices.join(' ')} *) ${words};; esac`
  return `    ${quoted(`${name} `)}*) ${rest};;`
}

function wordsCase([beginning, next]: Beginning): string {
  const pattern = beginning === '' ? "' '" : quoted(`${beginning} `)
  return `    ${pattern}) words=${quoted(next.map(({ word }) => word).join(' '))};;`
}
