import { beginnings, type CompletedCommand, knownArguments } from './words.ts'

/** One line for every word and option, each with the words that must stand in front of it. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const words = beginnings(commands).flatMap(([beginning, next]) =>
    next.map(({ word, help }) => `${when(`is ${beginning}`)} -f -a ${word} -d ${quoted(help)}`),
  )
  const options = commands.flatMap(({ name, options: known }) =>
    known.map(({ flag, help, takesValue, choices }) => {
      const values = choices ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : ''
      return `${when(`begins ${name}`)} -l ${flag.slice(2)}${values} -d ${quoted(help)}`
    }),
  )
  const known = commands.flatMap((command) =>
    knownArguments(command).map(({ place, choices }) => {
      return `${when(`argument ${place} ${command.name}`)} -f -a ${quoted(choices.join(' '))}`
    }),
  )
  return `function __petstore_words
  set -l words (commandline -opc)
  set -e words[1]
  echo "$words"
end
function __petstore_is
  test (__petstore_words) = "$argv"
end
function __petstore_begins
  string match -q -- "$argv *" (__petstore_words)' '
end
function __petstore_argument
  test (count (commandline -opc)) -eq $argv[1]; and __petstore_begins $argv[2..-1]
end
${[...words, ...known, ...options].join('\n')}`
}

const when = (condition: string) => `complete -c petstore -n ${quoted(`__petstore_${condition}`)}`

/** Fish knows backslashes inside single quotes. */
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
