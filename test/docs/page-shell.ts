import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { HUNG_AFTER_MS } from '../harness/until.ts'
import { fileNameOf, firstNotPrinted, type Snippet } from './snippets.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const COMMAND = join(ROOT, 'bin/petstore.js')

interface Outcome {
  /** Of the blocks that were begun, the last of which failed if there are fewer than were given. */
  outputs: string[]
  code: number | null
}

/** A directory in which the commands of a page find what a reader has: `npx petstore`, and the client by its name. */
export function readersDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-docs-'))
  mkdirSync(join(directory, 'bin'))
  mkdirSync(join(directory, 'work'))
  for (const [name, words] of [
    ['npx', 'shift; '],
    ['petstore', ''],
  ] as const) {
    const file = join(directory, 'bin', name)
    writeFileSync(file, `#!/bin/sh\n${words}exec "${process.execPath}" "${COMMAND}" "$@"\n`)
    chmodSync(file, 0o755)
  }
  for (const name of ['node_modules', 'bin']) symlinkSync(join(ROOT, name), join(directory, 'work', name))
  return directory
}

/** Runs the blocks of a page one after the other in one shell, as a reader does who types them. */
export async function runPage(
  directory: string,
  snippets: readonly Snippet[],
  environment: Record<string, string>,
): Promise<Outcome> {
  const script = ['set -euo pipefail', ...snippets.map((snippet, at) => blockScript(directory, snippet, at))].join('\n')
  const shell = spawn('bash', ['-c', script], {
    cwd: join(directory, 'work'),
    env: {
      PATH: [join(directory, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: directory,
      TMPDIR: tmpdir(),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // In a group of its own, which ends as a whole: a page may start programs and fail before it stops them.
    detached: true,
  })
  const late = setTimeout(() => endGroup(shell), HUNG_AFTER_MS)
  try {
    const [output, [code]] = await Promise.all([text(shell.stdout), once(shell, 'close')])
    return { outputs: output.split(MARK).slice(1), code: code as number | null }
  } finally {
    clearTimeout(late)
    endGroup(shell)
  }
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // All of them have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Every block ended as the page says, and printed what the page shows. */
export function assertDone({ outputs, code }: Outcome, snippets: readonly Snippet[]): void {
  const last = snippets[outputs.length - 1]?.code
  assert.equal(code, 0, `ended with ${code} at:\n${last}\n\nwhich printed:\n${outputs.at(-1)}`)
  for (const [at, { code: script, printed }] of snippets.entries()) {
    const missing = printed && firstNotPrinted(outputs[at] ?? '', printed)
    assert.equal(
      missing,
      undefined,
      `the page shows "${missing}", which is not printed by:\n${script}\n\n${outputs[at]}`,
    )
  }
}

const MARK = '\u0001'

function blockScript(directory: string, snippet: Snippet, at: number): string {
  const { language, code, marks } = snippet
  const begin = `exec 2>&1; printf '\\001'`
  const saved = fileNameOf(snippet)
  if (saved !== undefined) {
    writeFileSync(join(directory, 'work', saved), code)
    return begin
  }
  const expected = Number(/^exits-with-(\d+)$/.exec(marks.join(' '))?.[1] ?? 0)
  const commands = language === 'sh' ? code : `${PROGRAMS[language]} ${fileWith(directory, language, code, at)}`
  if (expected === 0) return `${begin}\n${commands}`
  // In a shell of its own, where the first command that fails ends the block and not the page.
  return `${begin}\nset +e\n( set -e\n${commands}\n)\nCODE=$?\nset -e\n[ "$CODE" = ${expected} ] || exit 99`
}

const PROGRAMS: Record<string, string> = { ts: 'node', python: 'python3' }
const ENDINGS: Record<string, string> = { ts: 'mts', python: 'py' }

function fileWith(directory: string, language: string, code: string, at: number): string {
  const file = join(directory, 'work', `snippet-${at}.${ENDINGS[language]}`)
  writeFileSync(file, code)
  return `'${file}'`
}
