/** A fenced block of a page. */
export interface Snippet {
  language: string
  code: string
  /** The words behind the language, such as `exits-with-1`. */
  marks: readonly string[]
  /** Why nothing runs it, where the page says so: `not-run="…"`. */
  notRun: string | undefined
  /** What the page says that is printed, where it says something. */
  printed: readonly string[] | undefined
}

const FENCE = /^```(\w*)([^\n]*)\n([^]*?)\n?^```$/gm

/** Languages that show what the block before has printed. */
const OUTPUT = new Set(['text', 'json'])
const COMMANDS = new Set(['sh', 'ts', 'python'])

/** The blocks of a page in their order; what a command prints belongs to it. */
export function snippetsOf(markdown: string): Snippet[] {
  const found: Snippet[] = []
  let end = 0
  for (const match of markdown.matchAll(FENCE)) {
    const [whole, language = '', words = '', code = ''] = match
    const last = found.at(-1)
    const isBehind = last !== undefined && markdown.slice(end, match.index).trim() === ''
    end = match.index + whole.length
    if (OUTPUT.has(language) && isBehind && COMMANDS.has(last.language)) {
      found[found.length - 1] = { ...last, printed: code.split('\n') }
      continue
    }
    const [, notRun] = /not-run="([^"]*)"/.exec(words) ?? []
    const marks = words
      .replace(/not-run="[^"]*"/, '')
      .split(' ')
      .filter(Boolean)
    found.push({ language, code, marks, notRun, printed: undefined })
  }
  return found
}

/** Whether it is for a shell or an interpreter, and nothing speaks against it. */
export const isRunnable = ({ language, notRun, marks }: Snippet) =>
  COMMANDS.has(language) && notRun === undefined && !marks.includes('declaration')

/** The name under which a reader saves a block that later ones use: `file=…`. */
export const fileNameOf = ({ marks }: Snippet) => marks.find((mark) => mark.startsWith('file='))?.slice('file='.length)

/** The lines that a page shows, in their order; `…` stands for anything, and so do the widths of columns. */
export function firstNotPrinted(output: string, lines: readonly string[]): string | undefined {
  const printed = output.split('\n').map(plain)
  let from = 0
  for (const line of lines) {
    const pattern = new RegExp(plain(line).split('…').map(RegExp.escape).join('.*'))
    const at = printed.findIndex((candidate, index) => index >= from && pattern.test(candidate))
    if (at === -1) return line
    from = at + 1
  }
  return undefined
}

const plain = (line: string) => line.trim().replaceAll(/\s+/g, ' ')
