import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'

type Format = 'bold' | 'gray' | 'green' | 'red' | 'yellow'

/** Where a command writes: results to standard output, everything else to standard error. */
export interface Terminal {
  print(text: string): void
  /** One JSON document, with integers of any size written out. */
  printJson(value: unknown): void
  note(text: string): void
  /** Replaces the line that it wrote last; does nothing where nobody watches. */
  status(text: string): void
  readonly watched: boolean
  /** Colours for standard output, only on a terminal and never with NO_COLOR. */
  style(format: Format, text: string): string
  /** The same for standard error. */
  noteStyle(format: Format, text: string): string
}

export function processTerminal(): Terminal {
  const { stdout, stderr } = process
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    // `petstore … | head` closes the pipe early: nobody is left to tell.
    if (code === 'EPIPE') process.exit(0)
    stderr.write(`The output could not be written (${code ?? message}). ${MAY_BE_DONE}\n`)
    process.exit(1)
  })
  return {
    print: (text) => void stdout.write(`${text}\n`),
    printJson: (value) => void stdout.write(`${exactJson(value, stdout.isTTY ? 2 : 0)}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    status: (text) => void (stderr.isTTY && stderr.write(`\r\x1b[2K${text.slice(0, (stderr.columns || 80) - 1)}`)),
    watched: stderr.isTTY === true,
    style: (format, text) => styled(stdout, format, text),
    noteStyle: (format, text) => styled(stderr, format, text),
  }
}

/** A key that was made and not seen is there all the same. */
export const MAY_BE_DONE = 'What the command does may be done: look before you run it again.'

/** Older Nodes colour files and pipes, too, with `styleText`. */
function styled(stream: NodeJS.WriteStream, format: Format, text: string): string {
  const [open, close] = inspect.colors[format] ?? []
  return stream.isTTY && stream.hasColors() ? `\x1b[${open}m${text}\x1b[${close}m` : text
}

/** Node 20 has no `JSON.rawJSON`: a mark that no text can hold by chance stands for the quotes to remove. */
function exactJson(value: unknown, indent: number): string {
  const mark = randomUUID()
  const marked = (_: string, item: unknown) => (typeof item === 'bigint' ? `${mark}${item}` : item)
  return JSON.stringify(value, marked, indent).replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1')
}
