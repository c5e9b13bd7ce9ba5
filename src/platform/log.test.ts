import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { test } from 'node:test'
import { HUNG_AFTER_MS } from '../../test/harness/until.ts'

/** Together three times what a pipe and the log keep. */
const LINES = 300
const LINE_CHARACTERS = 10_000

test('a log on a full disk holds up neither the process nor its end', async (t) => {
  if (!existsSync('/dev/full')) return t.skip('a disk that is always full is of Linux')
  const full = openSync('/dev/full', 'w')
  const process = startLogging(2, full)
  closeSync(full)
  await process.hasLogged
  assert.equal(await process.end(), 0)
})

test('a log that nobody reads holds up neither the process nor its end', async () => {
  const process = startLogging(LINES, 'pipe')
  await process.hasLogged
  assert.equal(await process.end(), 0)
})

test('whoever reads the log late is told how many lines are missing', async () => {
  const process = startLogging(LINES, 'pipe')
  await process.hasLogged
  let log = ''
  for await (const chunk of process.stderr) {
    log += String(chunk)
    if (log.includes('"dropped"')) process.stdin.write('one more')
    if (log.includes('"the last line"')) process.stdin.end()
  }
  const [, dropped] = /"dropped":(\d+),/.exec(log) ?? []
  assert.equal(log.split('"count"').length - 1 + Number(dropped), LINES)
})

/** A process that logs so many lines, says so, and ends with its standard input. */
function startLogging(lines: number, standardError: 'pipe' | number) {
  const program = `
    const { createLog } = await import('${import.meta.resolve('./log.ts')}')
    const log = createLog('info')
    for (let count = 1; count <= ${lines}; count++) log.info({ count }, 'x'.repeat(${LINE_CHARACTERS}))
    process.stdout.write('on')
    process.stdin.on('data', () => log.info('the last line')).on('end', () => process.exit())
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['pipe', 'pipe', standardError],
    timeout: HUNG_AFTER_MS,
    killSignal: 'SIGKILL',
  })
  const [stdin, stdout, stderr] = child.stdio as unknown as [Writable, Readable, Readable]
  return {
    stdin,
    stderr,
    hasLogged: once(stdout, 'data'),
    async end(): Promise<unknown> {
      stdin.end()
      const [code] = await once(child, 'exit')
      return code
    },
  }
}
