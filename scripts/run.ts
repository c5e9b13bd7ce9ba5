import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** Two hundred processes load the service: 0.74 instead of 1.3 s of processor time each. The service's own place. */
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/petstore')

type Step = readonly [title: string, command: string, ...options: string[]]

/** With the project's own tools first on the PATH; resolves with whether it succeeded, and what it printed if kept. */
function run([, command, ...options]: Step, stdio: 'inherit' | 'pipe'): Promise<{ ok: boolean; printed: string }> {
  const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const child = spawn(command, options, { cwd: root, stdio, env: { ...process.env, PATH, NODE_COMPILE_CACHE } })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ ok: false, printed: `${command} could not be started: ${error.message}` }))
    child.on('close', (code) => resolve({ ok: code === 0, printed }))
  })
}

/** One for each processor at a time: most of them use one. Ends the process with 1 when all are done and one failed. */
export async function runChecks(checks: readonly Step[]): Promise<void> {
  const failed: string[] = []
  const left = checks.values()
  const work = async () => {
    for (const check of left) {
      const { ok, printed } = await run(check, 'pipe')
      console.log(`\n▶ ${check[0]}\n${printed.trimEnd()}`)
      if (!ok) failed.push(check[0])
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  endIfFailed(failed)
}

/** Alone, for all to see while it runs. */
export async function runLast(step: Step): Promise<void> {
  console.log(`\n▶ ${step[0]}`)
  const { ok, printed } = await run(step, 'inherit')
  if (printed !== '') console.error(printed)
  endIfFailed(ok ? [] : [step[0]])
}

function endIfFailed(failed: readonly string[]): void {
  if (failed.length === 0) return
  console.error(`\n✗ ${failed.join(', ')} failed`)
  process.exit(1)
}
