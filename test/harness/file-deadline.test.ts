import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const AS_THE_SUITE = `--import=${new URL('./watch-file.js', import.meta.url).href}`

/** A file that would hang, run as the suite runs it. */
async function runFile(name: string, ...options: string[]): Promise<{ code: number | null; printed: string }> {
  const file = fileURLToPath(new URL(`./hanging/${name}`, import.meta.url))
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const child = spawn(process.execPath, ['--test', ...options, file], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, printed }
}

test('a file that leaves a socket open after its tests fails, with the address of the socket', async () => {
  const { code, printed } = await runFile('open-socket.ts')
  assert.equal(code, 1)
  assert.match(printed, /open-socket\.ts had not ended 0\.2 s after its tests/)
  assert.match(printed, /UDP socket at 127\.0\.0\.1:\d+/)
  assert.match(printed, /✔ a test that forgets its socket/, 'what has passed is still told')
})

test('a file whose test never ends fails, with the name of that test and what is open', async () => {
  const { code, printed } = await runFile('endless-test.ts')
  assert.equal(code, 1)
  assert.match(printed, /endless-test\.ts was not done after 60 s/)
  assert.match(printed, /Running:\s+a room > a test that waits for nobody\s+Open:\s+server at 127\.0\.0\.1:\d+/)
})

test('a file in a loop that never returns is ended, with the name of the test', async () => {
  const { code, printed } = await runFile('endless-loop.ts')
  assert.equal(code, 1)
  assert.match(printed, /endless-loop\.ts is in a loop that does not return/)
  assert.match(printed, /Running:\s+a test that turns in a circle/)
})

test('an error that nobody catches fails the file, with its place and the name of the test', async () => {
  const { code, printed } = await runFile('uncaught-error.ts', AS_THE_SUITE)
  assert.equal(code, 1)
  assert.match(printed, /uncaught-error\.ts has an error that nobody caught/)
  assert.match(printed, /Running:\s+a room > a test that throws elsewhere\s+Error: elsewhere\s+at .*uncaught-error/)
  assert.match(printed, /Running:\s+a room > a test that forgets a promise\s+Error: forgotten\s+at .*uncaught-error/)
})

test('a test awaits without the runner behind every promise, and still stands in its suite', async () => {
  const { code, printed } = await runFile('awaiting-test.ts', AS_THE_SUITE)
  assert.equal(code, 0, printed)
  assert.match(printed, /▶ a room that opens late\n\s+✔ a test that awaits/)
})

test('a file that holds a browser ends when it is told to, as the others do', async () => {
  const file = fileURLToPath(new URL('./hanging/held-browser.ts', import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill()
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  assert.equal(signal, 'SIGTERM')
})
