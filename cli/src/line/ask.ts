import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'

/** A line that a person types; what is secret does not show. */
export async function ask(question: string, options: { secret: boolean } = { secret: false }): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const output = options.secret ? nowhere : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    if (options.secret) process.stderr.write('\n')
  }
}

/** Standard input, for scripts. */
export async function linesOfInput(): Promise<string[]> {
  return (await text(process.stdin)).split(/\r?\n/)
}
