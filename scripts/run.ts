import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** Two hundred processes load the service: 0.74 instead of 1.3 s of processor time each. The service's own place. */
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/petstore')

type Step = readonly [title: string, command: string, ...options: string[]]

/** What takes a second or two. */
export const QUICK_CHECKS: readonly Step[] = [
  ['lint', 'oxlint'],
  ['format', 'oxfmt', '--check'],
]

/** One checker for a project: four, as by default, look at much of it four times, for 15 s of the processor, not 10. */
export const LONG_CHECKS: readonly [Step, ...Step[]] = [
  ['types', 'tsc', '-p', '.', '--checkers', '1'],
  ['types of the dashboard', 'tsc', '-p', 'dashboard', '--checkers', '1'],
  ['types of the reference', 'tsc', '-p', 'reference', '--checkers', '1'],
  ['unused code', 'knip', '--no-progress'],
]

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
  endIfFailed(await failuresOf(checks))
}

/** The first alone for all to see while it runs, the checks beside it: while it waits, they do not. */
export async function runBeside(step: Step, checks: readonly Step[]): Promise<void> {
  console.log(`\n▶ ${step[0]}`)
  const [{ ok, printed }, failed] = await Promise.all([run(step, 'inherit'), failuresOf(checks)])
  if (!ok) failed.unshift({ title: step[0], printed })
  // What they print on their way stands far above by now.
  for (const { title, printed } of failed) if (printed !== '') console.error(`\n✗ ${title}\n${printed.trimEnd()}`)
  endIfFailed(failed)
}

interface Failure {
  title: string
  printed: string
}

async function failuresOf(checks: readonly Step[]): Promise<Failure[]> {
  const failed: Failure[] = []
  const left = checks.values()
  const work = async () => {
    for (const check of left) {
      const { ok, printed } = await run(check, 'pipe')
      console.log(`\n▶ ${check[0]}\n${printed.trimEnd()}`)
      if (!ok) failed.push({ title: check[0], printed })
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return failed
}

function endIfFailed(failed: readonly Failure[]): void {
  if (failed.length === 0) return
  console.error(`\n✗ ${failed.map(({ title }) => title).join(', ')} failed`)
  process.exit(1)
}
