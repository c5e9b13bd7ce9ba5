import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { until } from '../harness/until.ts'
import { assertUnavailable, createPet } from './storage-trouble.ts'
import { allAnimals } from './writers.ts'

const CREATES = 12
const ON_LINUX = { skip: process.platform !== 'linux' && 'strace makes a disk fail on Linux only' }

let service: ServiceProcess
before(async () => {
  service = await startServiceProcess()
})
after(() => service[Symbol.asyncDispose]())

test(
  'after one sync that failed, whoever is told that nothing was changed finds nothing after a crash',
  ON_LINUX,
  async () => {
    const [answer] = await withFailingSync('once', async () => {
      const refused = await createAll(1)
      await service.kill()
      return refused
    })
    assert.match(answer ?? '', /Nothing was changed/)
    await service.restart()
    assert.deepEqual(await allAnimals(service), [])
  },
)

test(
  'while syncing fails, nobody is told that nothing was stored, and a key keeps a retry from storing twice',
  ON_LINUX,
  async () => {
    const answers = await withFailingSync('always', async () => {
      const refused = await createAll(CREATES)
      // Before the disk works again: the next start finds what the log holds.
      await service.kill()
      return refused
    })
    for (const answer of answers) assert.match(answer, /it may be done\. Look before you send it again/)

    await service.restart()
    const names = Array.from({ length: CREATES }, (_, index) => `Pet ${index}`)
    for (const name of names) assert.equal((await createPet(service, name, { 'Idempotency-Key': name })).status, 201)
    const stored = (await allAnimals(service)).map(({ name }) => name)
    assert.deepEqual(stored.toSorted(), names.toSorted())
  },
)

/** At once, so that they share commits; the sentences of the refusals. */
function createAll(count: number): Promise<string[]> {
  const answers = Array.from({ length: count }, async (_, index) => {
    const response = await createPet(service, `Pet ${index}`, { 'Idempotency-Key': `Pet ${index}` })
    const text = await response.clone().text()
    await assertUnavailable(response)
    return text
  })
  return Promise.all(answers)
}

/** Every fsync of the service, or the next one, answers EIO; what was written stays in the kernel's memory. */
async function withFailingSync<T>(when: 'always' | 'once', work: () => Promise<T>): Promise<T> {
  const inject = `inject=fsync,fdatasync:error=EIO${when === 'once' ? ':when=1' : ''}`
  const strace = spawn('strace', ['-f', '-q', '-p', String(service.pid), '-e', 'trace=fsync,fdatasync', '-e', inject])
  const ended = once(strace, 'close')
  strace.stderr.resume()
  try {
    await until('strace is attached', () => isTraced(service.pid))
    return await work()
  } finally {
    strace.kill('SIGINT')
    await ended
  }
}

/** Every thread, the one that writes too. */
function isTraced(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`)
  return threads.every((thread) => !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')))
}
