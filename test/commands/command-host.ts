import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'

/** A call of `petstore`, as a shell would make it. */
export interface Call {
  args: readonly string[]
  environment: Record<string, string>
  input: string
  /** Of a package that is installed somewhere; this checkout's own unless told. */
  script: string | undefined
}

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/**
 * A process that runs commands one after the other, each with its own words, settings, input and output. A process for
 * each would spend most of its time on loading the service: the tests of the command line call it 200 times.
 */
process.on('message', (call: Call) => void run(call).then((ended) => process.send?.(ended)))
process.once('disconnect', () => process.exit())

let calls = 0

async function run({ args, environment, input, script }: Call): Promise<Ended> {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment)
  process.argv.splice(2, Infinity, ...args)
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true })
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    process[stream].write = (text: string | Uint8Array) => {
      printed[stream] += typeof text === 'string' ? text : Buffer.from(text).toString()
      return true
    }
  }
  try {
    // What it imports stays loaded; it runs itself anew by another name.
    calls += 1
    await import(`${script === undefined ? '../../src/cli.ts' : pathToFileURL(script).href}?${calls}`)
  } catch (error) {
    printed.stderr += inspect(error)
    process.exitCode = 1
  }
  const code = Number(process.exitCode ?? 0)
  process.exitCode = undefined
  process.stdout.removeAllListeners('error')
  return { code, signal: null, ...printed }
}
