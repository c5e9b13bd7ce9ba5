import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { freePorts } from '../harness/free-ports.ts'
import { startTestPetstore } from '../harness/petstore.ts'
import { serverUser } from '../harness/postgres-binaries.ts'
import { runService } from '../harness/service-process.ts'
import { runCommand, startCommand, temporaryDirectory } from './command.ts'

interface Report {
  ok: boolean
  checks: { name: string; state: 'ok' | 'warn' | 'fail'; message: string }[]
}

test('beside a running service everything is well, and its ports are known as its own', async () => {
  await using service = await startTestPetstore()
  const { dataDirectory, baseUrl, stagingUrl, adminPort, httpsPort } = service.config
  const environment = {
    PETSTORE_DATA: dataDirectory,
    PETSTORE_BASE_URL: baseUrl.href,
    PETSTORE_STAGING_URL: stagingUrl.href,
    PETSTORE_ADMIN_PORT: String(adminPort),
    PETSTORE_HTTPS_PORT: String(httpsPort),
    PETSTORE_LISTEN: '127.0.0.1',
  }
  const { code, report } = await examine(environment, ['--full'])
  assert.equal(code, 0, JSON.stringify(report.checks))
  assert.deepEqual(
    report.checks.filter(({ state }) => state !== 'ok' && state !== 'warn'),
    [],
  )
  for (const port of ['production port', 'staging port', 'admin port']) {
    assert.match(message(report, port), /answered by Petstore/)
  }
  assert.match(message(report, 'schema'), /up to date/)
  const { stdout } = await runCommand(['doctor'], { environment })
  assert.match(stdout, /^ {2}ok +node +Node \d+/)

  await using another = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(another, 'listening')
  const { port } = another.address() as { port: number }
  const moved = (await examine({ ...environment, PETSTORE_HTTPS_PORT: String(port) })).report
  const taken = new RegExp(`^${port} is in use by another process\\. .*PETSTORE_HTTPS_PORT`)
  assert.match(message(moved, 'https port'), taken, 'a port that the service does not have')
})

test('the command that closes a data directory closes that one, whatever its name is', async () => {
  using parent = temporaryDirectory()
  const directory = join(parent.path, "Ann's data")
  mkdirSync(directory, { mode: 0o755 })
  const { report } = await examine({ PETSTORE_DATA: directory })
  const [, command = ''] = message(report, 'data directory').split('Close it with: ')
  execFileSync('sh', ['-c', command], { cwd: parent.path })
  assert.equal(statSync(directory).mode & 0o777, 0o700)
})

test('each trouble is a line that says what to do, and the exit code is 1', async () => {
  using data = temporaryDirectory()
  await using blocker = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as { port: number }
  const file = join(data.path, 'petstore.sqlite')
  const settings = {
    PETSTORE_DATA: data.path,
    PETSTORE_LISTEN: '127.0.0.1',
    PETSTORE_BASE_URL: `http://localhost:${port}/v1`,
  }
  chmodSync(data.path, 0o755)
  new DatabaseSync(file).exec(
    "create table kysely_migration (name, timestamp); insert into kysely_migration values ('9999_future', '')",
  )

  const { code, report } = await examine(settings)
  assert.deepEqual([code, report.ok], [1, false])
  assert.deepEqual(stateOf(report, 'data directory'), 'warn')
  assert.match(message(report, 'data directory'), /chmod 700/)
  const taken = new RegExp(`^${port} is in use by another process\\. .*PETSTORE_BASE_URL`)
  assert.match(message(report, 'production port'), taken)
  assert.equal(stateOf(report, 'schema'), 'fail')
  assert.equal(stateOf(report, 'http port'), undefined)
  assert.match(message(report, 'schema'), /newer version/)

  writeFileSync(file, 'not a database'.repeat(1000))
  assert.match(message((await examine(settings)).report, 'database'), /not a SQLite database.*petstore restore/)
  const [https] = await freePorts(1)
  const listeners = { PETSTORE_HTTP_PORT: String(port), PETSTORE_HTTPS_PORT: String(https) }
  const plain = { ...settings, ...listeners, PETSTORE_LISTEN: '127.0.0.1,203.0.113.7' }
  const secure = { PETSTORE_BASE_URL: 'https://a.example/v1', PETSTORE_STAGING_URL: 'https://b.example/v1' }
  const elsewhere = (await examine({ ...plain, ...secure })).report
  assert.match(
    message(elsewhere, 'http port'),
    new RegExp(`^${port} is in use by another process\\. .*PETSTORE_HTTP_PORT`),
  )
  assert.match(message(elsewhere, 'https port'), /^\d+ cannot be opened at 203\.0\.113\.7, .*PETSTORE_LISTEN/)
  const wrong = await examine({ PETSTORE_RATE_LIMIT: 'fast' })
  assert.equal(wrong.code, 1)
  assert.match(message(wrong.report, 'settings'), /PETSTORE_RATE_LIMIT is "fast"/)
  const mistyped = await examine({ ...settings, PETSTORE_BASEURL: 'https://a.example/v1', PETSTORE_COLOUR: 'red' })
  assert.deepEqual(
    mistyped.report.checks
      .filter(({ name, state }) => name === 'settings' && state === 'warn')
      .map((each) => each.message),
    [
      'PETSTORE_BASEURL is no setting, and changes nothing. Did you mean PETSTORE_BASE_URL?',
      'PETSTORE_COLOUR is no setting, and changes nothing. docs/operating.md lists the settings.',
    ],
  )
  const named = await examine({ PETSTORE_RESOLVERS: 'Ours=10.0.0.53,dns.example' })
  assert.match(message(named.report, 'settings'), /PETSTORE_RESOLVERS has "dns\.example"/)
})

test('a database without the master key that it was used with fails as the start would', async () => {
  await using service = await startTestPetstore()
  const { dataDirectory } = service.config
  const settings = { PETSTORE_DATA: dataDirectory }
  assert.equal(stateOf((await examine(settings)).report, 'master key'), 'ok')
  const other = (await examine({ ...settings, PETSTORE_MASTER_KEY: 'ab'.repeat(32) })).report
  assert.equal(stateOf(other, 'master key'), 'fail')
  assert.match(message(other, 'master key'), /sealed with another master key .* PETSTORE_MASTER_KEY/)
  rmSync(join(dataDirectory, 'master.key'))
  const lost = (await examine(settings)).report
  assert.equal(stateOf(lost, 'master key'), 'fail')
  assert.match(message(lost, 'master key'), /there is none here\. Put the file back/)
})

test('a lock that belongs to another user is named by a start and by the doctor, with what to do', async (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root makes files for others')
  using data = temporaryDirectory()
  const user = serverUser as { uid: number; gid: number }
  chownSync(data.path, user.uid, user.gid)
  const lock = join(data.path, 'start.lock')
  for (const mode of [0o600, 0o644]) {
    writeFileSync(lock, '')
    chmodSync(lock, mode)
    const refused = await runService({ PETSTORE_DATA: data.path }, { user })
    assert.deepEqual([refused.code, refused.stderr.includes(`The lock ${lock} belongs to another user`)], [1, true])
  }
  const examined = async () =>
    (await startCommand(['doctor'], { environment: { PETSTORE_DATA: data.path }, user }).ended).stdout
  assert.match(await examined(), /fail +data directory .*start\.lock is not this user's\. .*chown/)
  rmSync(lock)
  // As on a disk of its own, and with a key that nobody changes by mistake.
  mkdirSync(join(data.path, 'lost+found'), { mode: 0o700 })
  const key = join(data.path, 'master.key')
  writeFileSync(key, randomBytes(32).toString('base64url'))
  chownSync(key, user.uid, user.gid)
  chmodSync(key, 0o400)
  assert.match(await examined(), /ok +data directory /)
})

async function examine(environment: Record<string, string>, flags: string[] = []) {
  const { code, stdout, stderr } = await runCommand(['doctor', '--json', ...flags], { environment })
  assert.equal(stderr, '')
  return { code, report: JSON.parse(stdout) as Report }
}

const find = (report: Report, name: string) => report.checks.find((check) => check.name === name)
const message = (report: Report, name: string) => find(report, name)?.message ?? ''
const stateOf = (report: Report, name: string) => find(report, name)?.state
