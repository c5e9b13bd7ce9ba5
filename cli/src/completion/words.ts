/** What a shell has to know of one command. */
export interface CompletedCommand {
  name: string
  summary: string
  /** What is known of each argument. */
  arguments: (readonly string[] | undefined)[]
  options: { flag: string; help: string; choices: readonly string[] | undefined; takesValue: boolean }[]
}

export interface NextWord {
  word: string
  help: string
}

export type Beginning = [words: string, next: NextWord[]]

/**
 * Every beginning of a command and the words that may follow it: `''`, `keys`, `sandbox`, `sandbox dns`; longest
 * first, so that a shell can take the first that fits.
 */
export function beginnings(commands: readonly CompletedCommand[]): Beginning[] {
  const found = new Map<string, Map<string, string>>()
  for (const { name, summary } of commands) {
    const words = name.split(' ')
    for (const [index, word] of words.entries()) {
      const beginning = words.slice(0, index).join(' ')
      const next = found.get(beginning) ?? new Map<string, string>()
      const isWhole = index === words.length - 1
      if (isWhole || !next.has(word)) next.set(word, isWhole ? summary : `${words.slice(0, index + 1).join(' ')} …`)
      found.set(beginning, next)
    }
  }
  return [...found]
    .map(([beginning, next]): Beginning => [beginning, [...next].map(([word, help]) => ({ word, help }))])
    .toSorted(([a], [b]) => b.length - a.length)
}

/** The arguments of which something is known, by the place of their word: `petstore` has place 0. */
export function knownArguments({
  name,
  arguments: all,
}: CompletedCommand): { place: number; choices: readonly string[] }[] {
  const words = name.split(' ').length
  return all.flatMap((choices, index) => (choices ? { place: words + 1 + index, choices } : []))
}

/** Inside single quotes of a shell. */
export const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
