import { type Beginning, beginnings, type CompletedCommand, knownArguments, type NextWord, quoted } from './words.ts'

/** Looks at the words in front of the cursor: the first case that fits decides. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef petstore
_petstore() {
  local before="\${(j: :)words[2,CURRENT-1]} " current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}"
  local -a next
  case "$before" in
${[...commands.map(commandCase), ...beginnings(commands).map(wordsCase)].join('\n')}
  esac
  if (( $#next )); then _describe -V petstore next; else _files; fi
}
if [[ $funcstack[1] == _petstore ]]; then _petstore "$@"; else compdef _petstore petstore; fi`
}

function commandCase(command: CompletedCommand): string {
  const { name, options } = command
  const choices = options
    .filter((option) => option.takesValue)
    .map(({ flag, choices: known = [] }) => `${flag}) next=(${known.map(quoted).join(' ')});;`)
  const flags = described(options.map(({ flag, help }) => ({ word: flag, help })))
  const known = knownArguments(command).map(
    // The first word has place 1 in zsh.
    ({ place, choices: values }) => `; elif (( CURRENT == ${place + 1} )); then next=(${values.map(quoted).join(' ')})`,
  )
  const words = `if [[ $current == -* ]]; then next=(${flags})${known.join('')}; fi`
  const rest = choices.length === 0 ? words : `case "$previous" in ${choices.join(' ')} *) ${words};; esac`
  return `    ${quoted(`${name} `)}*) ${rest};;`
}

function wordsCase([beginning, next]: Beginning): string {
  const pattern = beginning === '' ? "' '" : quoted(`${beginning} `)
  return `    ${pattern}) next=(${described(next)});;`
}

const described = (words: readonly NextWord[]) =>
  words.map(({ word, help }) => quoted(`${word}:${help.replaceAll(':', '\\:')}`)).join(' ')
