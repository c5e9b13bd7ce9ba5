import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Domain, ProjectDomains } from '../../client/src/platform/platform.ts'
import type { DomainDetails } from '../../src/features/domains/view.ts'
import type { Diagnosis } from '../../src/features/domains/diagnosis/diagnose.ts'
import type { SandboxZoneView } from '../../src/features/sandbox/sandbox.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { runCommand, runJson, temporaryDirectory } from './command.ts'

const PASSWORD = 'correct horse battery'
const OF_PROJECT = ['--project', 'petstore']

let service: TestPetstore
let home: ReturnType<typeof temporaryDirectory>
let environment: Record<string, string>
before(async () => {
  service = await startTestPetstore()
  home = temporaryDirectory()
  environment = {
    HOME: home.path,
    XDG_CONFIG_HOME: join(home.path, 'settings'),
    PETSTORE_DATA: service.config.dataDirectory,
    PETSTORE_BASE_URL: service.config.baseUrl.href,
  }
  const input = `${PASSWORD}\n`
  const account = ['users', 'create', 'ada@example.com', ...OF_PROJECT, '--password-stdin']
  const made = await runCommand(account, { environment, input })
  assert.equal(made.code, 0, made.stderr)
  const signedIn = await runCommand(['login', '--email', 'ada@example.com', '--password-stdin'], { environment, input })
  assert.equal(signedIn.code, 0, signedIn.stderr)
  assert.ok(existsSync(join(home.path, 'settings', 'petstore', 'sign-ins.json')), 'where XDG_CONFIG_HOME says')
})

test('whoever is signed in is told who they are, where the site is, and what has changed', async () => {
  const told = await runCommand(['whoami'], { environment })
  assert.match(told.stdout, /^ada@example\.com .* at http:\/\/localhost:/, told.stderr)
  const opened = await runCommand(['open', ...OF_PROJECT, '--print'], { environment })
  assert.match(opened.stdout, /^http:\/\/petstore\.localhost/, opened.stderr)
  const logged = await runCommand(['logs', ...OF_PROJECT, '--limit', '5'], { environment })
  assert.match(logged.stdout, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}.* by /m, logged.stderr)
})

test('a project that shows only the starter site is told to deploy its own before it adds a domain', async () => {
  const refused = await domains('add', 'www.example.test')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /no site of its own yet.*petstore deploy DIRECTORY/)
  const site = join(home.path, 'site')
  mkdirSync(site)
  writeFileSync(join(site, 'index.html'), '<h1>Our own</h1>')
  const deployed = await runCommand(['deploy', site, ...OF_PROJECT], { environment })
  assert.equal(deployed.code, 0, deployed.stderr)
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  home?.[Symbol.dispose]()
})

type Listed = ProjectDomains & { domains: Domain[] }
const domains = (...args: string[]) => runCommand(['domains', ...args, ...OF_PROJECT], { environment })
const domainsJson = <T>(...args: string[]) => runJson<T>(['domains', ...args, ...OF_PROJECT], { environment })
const sandboxJson = <T>(...args: string[]) => runJson<T>(['sandbox', 'dns', ...args], { environment })

test('add shows the record to create, also as a command for the sandbox', async () => {
  const { code, stdout } = await domains('add', 'https://WWW.example.test/path')
  assert.equal(code, 0)
  assert.match(stdout, /^Added www\.example\.test to petstore \(primary\)/)
  assert.match(stdout, /^ {2}CNAME +www +[0-9a-f]{24}\.localhost +3600$/m)
  assert.match(stdout, /^ {2}petstore sandbox dns add www\.example\.test CNAME [0-9a-f]{24}\.localhost$/m)
})

test('verify prints every problem with its fix and ends with 1, and explain says the same offline', async () => {
  await sandboxJson('add', 'www.example.test', 'A', '192.0.2.1', '--ttl', '60')
  const { code, stdout, stderr } = await domains('verify', 'www.example.test')
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /^www\.example\.test is not verified\. It is checked again by itself at 20/m)
  assert.match(stderr, /^ {2}Fix: .*192\.0\.2\.1/m)
  const { lastCheck } = await domainsJson<DomainDetails>('show', 'www.example.test')

  const evidence = await domains('show', 'www.example.test', '--evidence')
  const file = join(home.path, 'evidence.json')
  writeFileSync(file, evidence.stdout)
  const nowhere = { PETSTORE_DATA: join(home.path, 'nowhere'), PETSTORE_BASE_URL: 'http://localhost:9/v1' }
  const offline = { environment: nowhere }
  const explained = await runJson<Diagnosis>(['domains', 'explain', file], offline)
  assert.deepEqual(explained.problems, lastCheck?.problems)
  const words = await runCommand(['domains', 'explain', file], offline)
  assert.match(words.stdout, /^www\.example\.test, as DNS was on .*: failed/)
  assert.match(words.stdout, /ns1\.registrar\.test +127\.0\.0\.1 +answered +wrong +.*192\.0\.2\.1/)
  const broken = await runCommand(['domains', 'explain', join(home.path, 'sign-ins.json')], offline)
  assert.equal(broken.code, 1)
})

test('verify --wait goes from DNS to the certificate, and list has the shape of the contract', async () => {
  const zones = await sandboxJson<SandboxZoneView[]>('list')
  const wrong = zones.flatMap(({ records }) => records).find(({ name }) => name === 'www.example.test')
  await sandboxJson('remove', wrong?.id ?? '')
  const { record } = await domainsJson<DomainDetails>('show', 'www.example.test')
  await sandboxJson('add', record.record.fullName, record.record.type, record.record.value)

  const waited = await domains('verify', 'www.example.test', '--wait', '--timeout', '60s')
  assert.equal(waited.code, 0, waited.stderr)
  assert.match(
    waited.stdout,
    /^www\.example\.test is live: http:\/\/www\.example\.test\.localhost:\d+\/ \(certificate until 20/,
  )
  assert.match(waited.stderr, /asking the nameservers/)
  const { domains: listed, ...roles } = await domainsJson<Listed>('list')
  assert.deepEqual(roles, { primary: 'www.example.test', redirects: [] })
  assert.deepEqual(
    listed.map(({ hostname, state, certificate }) => [hostname, state, certificate !== null]),
    [['www.example.test', 'live', true]],
  )
  assert.match((await domains('list')).stdout, /^ {2}www\.example\.test +live +primary +20/m)
})

test('verify says when a CAA record keeps the certificate away, and ends with 1', async () => {
  const { id } = await sandboxJson<{ id: string }>('add', 'caa.example.test', 'CAA', '0 issue "other.example"')
  const { record } = await domainsJson<DomainDetails>('add', 'b.caa.example.test')
  const cname = await sandboxJson<{ id: string }>('add', 'b.caa.example.test', 'CNAME', record.record.value)
  const { code, stdout, stderr } = await domains('verify', 'b.caa.example.test')
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /b\.caa\.example\.test is verified, but its certificate cannot be issued yet/)
  assert.match(stderr, /Fix: In the zone example\.test, create this record: type CAA, name caa, flags 0, tag issue/)
  await domainsJson('remove', 'b.caa.example.test')
  for (const each of [id, cname.id]) await sandboxJson('remove', each)
})

test('verify --wait of a prepared domain ends when it is ready to switch, with the record to switch by', async () => {
  const { record } = await domainsJson<DomainDetails>('add', 'old.example.test', '--prepare')
  const { proof, challenge } = record
  const early = await domains('verify', 'old.example.test', '--wait')
  assert.deepEqual([early.code, early.stdout], [1, ''])
  assert.match(early.stderr, /^old\.example\.test is not prepared\./m)
  for (const line of [proof, challenge]) await sandboxJson('add', line!.fullName, line!.type, line!.value)
  const { code, stdout, stderr } = await domains('verify', 'old.example.test', '--wait', '--timeout', '60s')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^old\.example\.test is ready to switch \(certificate until 20/)
  assert.match(stdout, /^ {2}CNAME +old +[0-9a-f]{24}\.localhost +3600$/m)
  await domainsJson('remove', 'old.example.test')
})

test('a wildcard is added with the record by which its certificate is proved', async () => {
  const { stdout } = await domains('add', '*.cats.example.test')
  assert.match(stdout, /^ {2}CNAME +\*\.cats +[0-9a-f]{24}\.localhost +3600$/m)
  assert.match(stdout, /^ {2}CNAME +_acme-challenge\.cats +[0-9a-f]{32}\.acme\.localhost +3600$/m)
})

test('redirect, primary and remove print the roles that come of them', async () => {
  await domainsJson('add', 'example.test')
  await domainsJson('add', 'shop.example.test')
  assert.deepEqual(await domainsJson('redirect', 'shop.example.test', 'example.test', '--status', '308'), {
    primary: 'www.example.test',
    redirects: [
      { from: 'example.test', to: 'www.example.test', status: 301 },
      { from: 'shop.example.test', to: 'example.test', status: 308 },
    ],
  })
  const circle = await domains('redirect', 'example.test', 'shop.example.test')
  assert.deepEqual([circle.code, /in a circle/.test(circle.stderr)], [1, true])
  assert.equal((await domains('redirect', 'example.test', 'www.example.test', '--status', '200')).code, 2)
  await domainsJson('primary', 'example.test')
  assert.match((await domains('remove', 'shop.example.test')).stdout, /^Removed shop\.example\.test from petstore/)
  const { primary, redirects } = await domainsJson<Listed>('list')
  assert.equal(primary, 'example.test')
  assert.deepEqual(redirects, [{ from: 'www.example.test', to: 'example.test', status: 301 }])
})

test('the sandbox can misbehave, grow a zone, and be put in order again', async () => {
  const fault = await sandboxJson<{ id: string }>('fault', 'example.test', 'servfail')
  const failing = await domains('verify', 'www.example.test')
  assert.equal(failing.code, 1)
  assert.match(failing.stderr, /www\.example\.test could not be checked/)
  await sandboxJson('remove', fault.id)
  assert.equal((await domains('verify', 'www.example.test')).code, 0)

  await sandboxJson('add', 'a.rehearsal.test', 'TXT', 'hello', '--zone', 'rehearsal.test')
  const listed = await runCommand(['sandbox', 'dns', 'list'], { environment })
  assert.match(listed.stdout, /rec_\w{16} +a\.rehearsal\.test +TXT +"hello" +3600/)
  await sandboxJson('remove', 'rehearsal.test')
  const nowhere = await runCommand(['sandbox', 'dns', 'add', 'a.rehearsal.test', 'A', '192.0.2.1'], { environment })
  assert.deepEqual([nowhere.code, /No zone of the sandbox holds a\.rehearsal\.test/.test(nowhere.stderr)], [1, true])
  assert.equal((await runCommand(['sandbox', 'dns', 'fault', 'example.test', 'fire'], { environment })).code, 2)

  await sandboxJson('fault', 'example.test', 'drop')
  const late = await domains('verify', 'www.example.test', '--wait', '--timeout', '0s')
  assert.deepEqual([late.code, late.stdout], [1, ''])
  assert.match(late.stderr, /^www\.example\.test was not done in time \(live\)\..* petstore domains show www\.example/)
})
