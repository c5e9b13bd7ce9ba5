import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** Two hundred processes load the service: 0.74 instead of 1.3 s of processor time each. The service's own place. */
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/petstore')

/** Runs a command of the project with its own tools first on the PATH; resolves with whether it succeeded. */
export function run(title: string, command: string, options: readonly string[]): Promise<boolean> {
  console.log(`\n▶ ${title}`)
  const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const child = spawn(command, options, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH, NODE_COMPILE_CACHE },
  })
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`)
      resolve(false)
    })
    child.on('exit', (code) => resolve(code === 0))
  })
}

/** One after the other; ends the process with 1 as soon as one fails. */
export async function runAll(
  steps: readonly (readonly [title: string, command: string, ...options: string[]])[],
): Promise<void> {
  for (const [title, command, ...options] of steps) {
    if (await run(title, command, options)) continue
    console.error(`\n✗ ${title} failed`)
    process.exit(1)
  }
}
