import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startServiceProcess, type ServiceProcess } from './harness/service-process.ts'
import { HUNG_AFTER_MS } from './harness/until.ts'

const GUIDE = readFileSync(new URL('../docs/quick-start.md', import.meta.url), 'utf8')
const COMMAND = fileURLToPath(new URL('../bin/petstore.js', import.meta.url))

interface Step {
  script: string
  exitCode: number
  /** What the guide says that is printed, where it says something. */
  printed: string[]
}

const [start, ...steps] = stepsOf(GUIDE)

let directory: string
let service: ServiceProcess
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-quick-start-'))
  service = await startServiceProcess({ environment: { PETSTORE_LISTEN: '127.0.0.1,::1' } })
  // What the guide runs through npx is the command of this checkout, also in a directory of its own.
  const npx = join(directory, 'npx')
  writeFileSync(npx, `#!/bin/sh\nshift\nexec "${process.execPath}" "${COMMAND}" "$@"\n`)
  chmodSync(npx, 0o755)
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

test('the guide begins with the two commands that start the service, and shows what it prints', () => {
  assert.equal(start?.script, 'npm ci\nnpm start')
  assertPrinted(service.stdout, start?.printed ?? [])
})

test('every further command of the guide does what the guide says', async () => {
  assert.ok(steps.length >= 9, 'the commands of the guide were not found')
  const shell = new Shell()
  for (const step of steps) {
    const script = asHere(step.script).replace('ps_live_…', service.keys.production)
    assert.doesNotMatch(script, /…/, `the test does not know what to put in: ${script}`)
    const { code, stdout, stderr } = await shell.run(script)
    assert.equal(code, step.exitCode, `${script}\n\nended with ${code}:\n${stdout}${stderr}`)
    assertPrinted(`${stdout}\n${stderr}`, step.printed.map(asHere))
  }
})

test('the first request of the README works in curl, in TypeScript and on the command line', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const [, curl, list] = stepsOf(readme).map(({ script }) =>
    asHere(script).replace('ps_live_…', service.keys.production),
  )
  const typescript = asHere(/^```ts\n([^]*?)\n```$/m.exec(readme)?.[1] ?? '')
  assert.match(typescript, /from 'petstore-client'/)
  const shell = new Shell()
  const added = await shell.run(curl as string)
  assert.match(added.stdout, /"name":"Rex"/, added.stderr)
  // In the checkout, where the client is found by its name.
  const run = `cd '${dirname(dirname(COMMAND))}' && node --input-type=module-typescript -e "$SNIPPET"`
  const listed = await shell.run(run, { SNIPPET: typescript })
  assert.match(listed.stdout, /^\d+ Rex$/m, listed.stderr)
  const shown = await shell.run(list as string)
  assert.match(shown.stdout, /Rex/, shown.stderr)
})

/** The ports of this service instead of the usual ones. */
function asHere(guided: string): string {
  const own = `localhost:${service.productionPort}`
  return guided.replaceAll('localhost:4000', own).replaceAll('4443', String(service.httpsPort))
}

/** One shell for the whole guide would hide which command failed: each step gets its own, with the variables so far. */
class Shell {
  #variables = ''

  async run(
    script: string,
    variables: Record<string, string> = {},
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const remember = script.split('\n').filter((line) => /^export \w+=/.test(line))
    const child = spawn('bash', ['-euo', 'pipefail', '-c', `${this.#variables}${script}`], {
      cwd: directory,
      env: {
        PATH: [directory, dirname(process.execPath), process.env.PATH].join(delimiter),
        HOME: directory,
        TMPDIR: tmpdir(),
        PETSTORE_DATA: service.dataDirectory,
        PETSTORE_BASE_URL: `http://localhost:${service.productionPort}/v1`,
        PETSTORE_STAGING_URL: `http://localhost:${service.stagingPort}/v1`,
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: HUNG_AFTER_MS,
      killSignal: 'SIGKILL',
    })
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    this.#variables += remember.map((line) => `${line}\n`).join('')
    return { code, stdout, stderr }
  }
}

/** Blocks of commands, each with the block of output that follows it. */
function stepsOf(markdown: string): Step[] {
  const found: Step[] = []
  for (const [, kind, marker, content = ''] of markdown.matchAll(/^```(sh|text)(?: (\S+))?\n([^]*?)\n```$/gm)) {
    const last = found.at(-1)
    if (kind === 'sh') found.push({ script: content, exitCode: marker === 'exits-with-1' ? 1 : 0, printed: [] })
    else if (last) last.printed.push(...content.split('\n'))
  }
  return found
}

/** The lines that the guide shows, in their order; `…` stands for anything, and so do the widths of columns. */
function assertPrinted(output: string, lines: readonly string[]): void {
  const printed = output.split('\n').map(plain)
  let from = 0
  for (const line of lines) {
    const pattern = new RegExp(plain(line).split('…').map(RegExp.escape).join('.*'))
    const at = printed.findIndex((candidate, index) => index >= from && pattern.test(candidate))
    assert.notEqual(at, -1, `the guide shows "${line}", which is not in:\n${output}`)
    from = at + 1
  }
}

const plain = (line: string) => line.trim().replaceAll(/\s+/g, ' ')
