import { styleText } from 'node:util'

type Format = Parameters<typeof styleText>[0]

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
}

export function processTerminal(): Terminal {
  const { stdout, stderr } = process
  // `petstore … | head` closes the pipe early: nobody is left to tell.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  return {
    print: (text) => void stdout.write(`${text}\n`),
    printJson: (value) => void stdout.write(`${JSON.stringify(value, exactIntegers, stdout.isTTY ? 2 : 0)}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    status: (text) => void (stderr.isTTY && stderr.write(`\r\x1b[2K${text.slice(0, (stderr.columns || 80) - 1)}`)),
    watched: stderr.isTTY === true,
    style: (format, text) => styleText(format, text, { stream: stdout }),
  }
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

function exactIntegers(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJSON(String(value)) : value
}
