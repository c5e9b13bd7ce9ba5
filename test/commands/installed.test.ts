import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { verifyWebhook } from '../../client/src/webhooks/webhooks.ts'
import { TOKEN_SCOPES } from '../../src/features/keys/tokens/scopes.ts'
import { nextNumber } from '../../src/platform/storage/sequence.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { startFaultyProxy } from '../harness/faulty-proxy.ts'
import { installPacked, packCli } from '../harness/packed.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { until } from '../harness/until.ts'
import { type Received, startReceiver } from '../harness/webhook-receiver.ts'
import { Browser } from '../platform-api/browser.ts'
import { expect, PASSWORD, tokenOf } from '../platform-api/house.ts'
import { type CommandOptions, runCommand, runJson, startCommand, untilPrinted } from './command.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TARBALL_BYTES_MAX = 60_000

/** An empty directory, in which the packed command line has been installed without a network. */
let directory: string
let tarball: ReturnType<typeof packCli>
let shop: TestPetstore
let owner: Browser
let options: CommandOptions

before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-installed-'))
  tarball = packCli(directory)
  installPacked(directory, [`./${tarball.filename}`])

  shop = await startTestPetstore()
  owner = new Browser(shop)
  const link = tokenOf(shop.petstore.ownerLink as string)
  expect(
    201,
    await owner.post('/sign-up', { token: link, email: 'olga@example.com', name: 'Olga', password: PASSWORD }),
  )
  options = await optionsWith(TOKEN_SCOPES)
})
after(async () => {
  await shop?.[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

async function optionsWith(scopes: readonly string[], slug = 'petstore'): Promise<CommandOptions> {
  const { token: PETSTORE_TOKEN } = expect(201, await owner.post(`/projects/${slug}/tokens`, { name: 'CI', scopes }))
  const environment = { HOME: directory, PETSTORE_SERVER: shop.config.baseUrl.origin, PETSTORE_TOKEN }
  return { script: join(directory, 'node_modules/.bin/petstore'), environment }
}

const OF = ['--project', 'petstore']
const run = (...args: string[]) => runCommand(args, options)
const json = <T>(...args: string[]) => runJson<T>(args, options)
async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...args)
  assert.equal(code, 0, `petstore ${args.join(' ')}: ${stderr}`)
  return stdout
}

test('the package is small and holds nothing but what it needs', () => {
  const paths = tarball.files.map(({ path }) => path)
  const strange = paths.filter((path) => !/^(?:dist\/(?:cli|client)\/src\/[\w/-]+\.js|bin\/petstore\.js)$/.test(path))
  assert.deepEqual(strange.toSorted(), ['LICENSE', 'README.md', 'package.json'])
  assert.ok(tarball.size < TARBALL_BYTES_MAX, `${tarball.size} bytes`)
  const lock = readFileSync(join(directory, 'node_modules/.package-lock.json'), 'utf8')
  assert.deepEqual(Object.keys((JSON.parse(lock) as { packages: object }).packages), ['node_modules/petstore-cli'])
})

test('it tells its version and its commands, and of those of the operator where they run', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  // As a shell runs it; the other tests call it in a process that stays.
  const { code: ended, stdout } = await startCommand(['--version'], options).ended
  assert.deepEqual([ended, stdout], [0, `${version}\n`])
  assert.match(await printed('--help'), /^ {2}domains verify +Check the DNS[^]*is installed: serve, domains explain, /m)
  for (const there of [
    ['backup', 'file'],
    ['users', 'create', 'a@example.com'],
    ['doctor', '--help'],
  ]) {
    const { code, stderr } = await run(...there)
    assert.equal(code, 2)
    assert.match(stderr, /^petstore [a-z ]+ runs where the service is installed: npx petstore .*, in its checkout\.\n$/)
  }
  const wrong = await run('keys', 'create', ...OF, '--environment', 'stagin')
  assert.deepEqual([wrong.code, /Did you mean staging\?/.test(wrong.stderr)], [2, true])
})

test('a token does it all: who, projects, keys, animals, orders', async () => {
  assert.match(
    await printed('whoami'),
    /^The token "CI" of olga@example\.com at http.*, for petstore until 2.*: project:/,
  )
  assert.match(await printed('projects', 'list'), /^ {2}petstore +pro /m)
  assert.match(await printed('members', 'list', ...OF), /olga@example\.com +owner/)

  const at = [...OF, '--environment', 'staging']
  const key = await json<{ id: string; key: string }>('keys', 'create', ...at, '--expires', '30d')
  const by = ['--key', key.key]
  const pet = await json<{ id: number }>('pets', 'add', 'Rex', '--category', '9007199254740993', ...at)
  assert.match(await printed('pets', 'list', ...by), /ID +NAME +CATEGORY +STATUS\n.*Rex +9007199254740993 +available/)
  assert.match(await printed('pets', 'update', String(pet.id), '--name', 'Max', ...by), /Max/)
  const order = await json<{ id: number }>('orders', 'place', String(pet.id), ...at)
  const held = await run('pets', 'delete', String(pet.id), ...by)
  assert.deepEqual([held.code, held.stdout], [1, ''])
  assert.match(held.stderr, new RegExp(`Order ${order.id} holds this animal`))
  assert.match(await printed('orders', 'end', String(order.id), '--as', 'completed', ...by), /completed/)
  assert.match(await printed('orders', 'list', '--status', 'completed', ...at), /completed/)
  const found = ['pets', 'list', '--q', 'mA', '--category', '9007199254740993', '--order', 'name']
  assert.match(await printed(...found, ...at), /Max +9007199254740993 +sold/)
  await printed('pets', 'delete', String(pet.id), ...at)
  const { origin } = shop.config.baseUrl
  const none = await printed('pets', 'list', '--order', 'newest', ...by, '--server', origin)
  assert.equal(
    none,
    `There are no such animals. Add one with: petstore pets add NAME --category ID --server ${origin}\n`,
  )

  const successor = await json<{ replaces: string }>('keys', 'rotate', key.id, ...OF, '--overlap', '1h')
  assert.equal(successor.replaces, key.id)
  await printed('keys', 'revoke', key.id, ...OF)
  assert.match(await printed('keys', 'list', ...OF), new RegExp(`${key.id} +revoked +staging`))
  const revoked = await run('pets', 'list', ...by)
  assert.deepEqual([revoked.code, /API key has been revoked/.test(revoked.stderr)], [1, true])
})

test('a file of animals is judged whole, and added once, however often the command is run', async () => {
  const file = join(directory, 'animals.csv')
  const at = [...OF, '--environment', 'staging']
  writeFileSync(file, 'Name;category_id;status\r\n"Rex; the ""first""";9007199254740993;\r\nAda;x;gone\r\n')
  const refused = await run('import', file, ...at)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^Nothing was imported: [^]*\n {2}line 3: categoryId must be an integer/)
  writeFileSync(file, 'Name;category_id;status\r\n"Rex; the ""first""";9007199254740993;\r\n\r\nAda;2;pending\r\n')
  assert.equal(await printed('import', file, ...at), 'Added 2 animals to petstore, staging.\n')
  assert.match(await printed('import', file, ...at), /is stored already \(2 animals\)/)
  const lines = Array.from({ length: 1001 }, (_, index) => JSON.stringify({ name: `Pet ${index}`, categoryId: 3 }))
  const piped = ['import', '-', '--format', 'ndjson', ...at]
  const outcome = await runJson<{ added: number }>(piped, { ...options, input: `${lines.join('\n')}\n` })
  assert.equal(outcome.added, 1001)
  const pets = await json<{ name: string }[]>('pets', 'list', '--limit', '3', ...at)
  assert.deepEqual(
    pets.map(({ name }) => name),
    ['Rex; the "first"', 'Ada', 'Pet 0'],
  )
})

test('a token does it all: deploys, domains until they are live, the log', async () => {
  const site = join(directory, 'site')
  mkdirSync(site)
  writeFileSync(join(site, 'index.html'), '<h1>Ours</h1>')
  const first = await json<{ deploy: { id: string } }>('deploy', site, ...OF, '--name', 'first')
  writeFileSync(join(site, 'index.html'), '<h1>Ours, again</h1>')
  assert.match(await printed('deploy', site, ...OF), /^Deployed 1 file to petstore/)
  await printed('deploys', 'activate', first.deploy.id, ...OF)
  assert.match(await printed('deploys', 'list', ...OF), new RegExp(`${first.deploy.id} +shown +1 .*first`))
  assert.match(await printed('open', ...OF, '--print'), /^http:\/\/petstore\.localhost/)

  assert.match(
    await printed('domains', 'add', 'www.example.test', ...OF),
    /petstore sandbox dns add www\.example\.test/,
  )
  const unverified = await run('domains', 'verify', 'www.example.test', ...OF)
  assert.deepEqual([unverified.code, /is not verified[^]*Fix:/.test(unverified.stderr)], [1, true])
  const { record } = await json<{ record: { record: { value: string } } }>('domains', 'show', 'www.example.test', ...OF)
  const { value } = record.record
  expect(201, await owner.post('/sandbox/zones/example.test/records', { name: 'www', type: 'CNAME', value }))
  const verified = await printed('domains', 'verify', 'www.example.test', ...OF, '--wait')
  assert.match(verified, /^www\.example\.test is live: http.*certificate until/)
  assert.match(await printed('domains', 'list', ...OF), /www\.example\.test +live +primary/)
  assert.match(await printed('logs', ...OF, '--about', 'domain'), /domain\.add +www\.example\.test .*by CI \(token of/)
  await printed('domains', 'remove', 'www.example.test', ...OF)
})

const takeNumber = defineWrite('test.takeNumber', (db, _: undefined, engine) => nextNumber(db, engine, 'audit'))
const recordLate = defineWrite('test.recordLate', async (db, id: number) => {
  const newest = await db.selectFrom('audit_entries').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
  const details = newest.details.replace('Fourth', 'Late')
  await db
    .insertInto('audit_entries')
    .values({ ...newest, id, details })
    .execute()
})

test('logs --follow prints what there is, goes on with what comes, and prints nothing twice', async () => {
  const rename = async (name: string) => expect(200, await owner.patch('/projects/petstore', { name }))
  await rename('First')
  const following = startCommand(['logs', ...OF, '--about', 'project', '--limit', '1', '--follow'], options)
  await untilPrinted(following, /First/)
  await rename('Second')
  await untilPrinted(following, /Second/)
  await rename('Third')
  await untilPrinted(following, /Third/)
  // On PostgreSQL a change that takes a while has its number before another that is there first.
  const { storage } = shop.petstore
  const number = await storage.write(takeNumber, undefined)
  await rename('Fourth')
  await untilPrinted(following, /Fourth/)
  await storage.write(recordLate, number)
  await untilPrinted(following, /Late/)
  // More than a page, between two looks of it.
  following.child.kill('SIGSTOP')
  const many = Array.from({ length: 103 }, (_, index) => `Name ${index}.`)
  for (const name of many) await rename(name)
  following.child.kill('SIGCONT')
  await untilPrinted(following, /Name 102\./)
  following.child.kill('SIGINT')
  const { stdout } = await following.ended
  const names = stdout
    .matchAll(/project\.\w+ +petstore .*(First|Second|Third|Fourth|Late|Name \d+\.)/g)
    .map(([, name]) => name)
  assert.deepEqual([...names], ['First', 'Second', 'Third', 'Fourth', 'Late', ...many])
  assert.equal(stdout.split('\n').length, 6 + many.length)
})

const fill = defineWrite(
  'test.fill',
  async (db, { slug, count, now }: { slug: string; count: number; now: number }) => {
    await sql`insert into audit_entries (id, at, project_id, actor_kind, actor_name, verb, subject, details)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
    select 1000000 + n, ${now} - (${count} - n) * 60000, (select id from projects where slug = ${slug}), 'system', '',
      'pet.update', n, '{}'
    from numbers`.execute(db)
  },
)

test('logs --follow looks for what is rare among the newest changes, and not in the whole log again', async () => {
  expect(201, await owner.post('/projects', { slug: 'busy', name: 'Busy' }))
  await shop.petstore.storage.write(fill, { slug: 'busy', count: 20_000, now: Date.now() })
  await using proxy = await startFaultyProxy(shop, [])
  const { environment } = await optionsWith(TOKEN_SCOPES, 'busy')
  const through = { ...options, environment: { ...environment, PETSTORE_SERVER: proxy.origin } }
  const following = startCommand(['logs', '--project', 'busy', '--about', 'project', '--follow'], through)
  await untilPrinted(following, /project\.create/)
  const before = proxy.requests
  await until('it has looked for more', () => proxy.requests >= before + 2)
  following.child.kill('SIGINT')
  await following.ended
  assert.deepEqual(
    proxy.urls.slice(before).filter((url) => url.includes('cursor=')),
    [],
  )
})

test('a token does it all: webhooks, and listening from a laptop', async () => {
  await using receiver = await startReceiver()
  const made = await json<{ id: string; secret: string }>('webhooks', 'create', receiver.url, ...OF)
  assert.match(made.secret, /^whsec_/)
  assert.match(await printed('webhooks', 'list', ...OF), new RegExp(made.id))
  await printed('webhooks', 'remove', made.id, ...OF)

  const listening = startCommand(['listen', ...OF, '--forward', receiver.url, '--events', 'pet.created'], options)
  await until('it listens', () => /Verify with the secret whsec_\S+/.test(listening.printed.stderr))
  const [, secret = ''] = /secret (whsec_\S+)/.exec(listening.printed.stderr) ?? []
  receiver.answer = (_, response) => void response.writeHead(418).end()
  await shop.call('/pets', { method: 'POST', body: { name: 'Rex', categoryId: 1 } })
  await until('it is printed', () => /418 +pet\.created/.test(listening.printed.stdout))
  const { headers, body } = receiver.received[0] as Received
  const event = await verifyWebhook(secret, headers as Record<string, string>, body)
  assert.equal(event.type === 'pet.created' && event.data.name, 'Rex')
  listening.child.kill('SIGINT')
  assert.equal((await listening.ended).code, 0)
  assert.equal(receiver.received.length, 1)
  const forPrograms = startCommand(['listen', ...OF, '--forward', receiver.url, '--json'], options)
  const first = '{"listening":true,"secret":"whsec_'
  await until('it tells the secret', () => forPrograms.printed.stdout.startsWith(first))
  forPrograms.child.kill('SIGINT')
  assert.equal((await forPrograms.ended).code, 0)
  const left = await shop.petstore.storage.read.selectFrom('webhook_endpoints').select('id').execute()
  assert.deepEqual(left, [])
})

test('one sign-in serves all commands, also at an address without a token', async () => {
  const { PETSTORE_TOKEN: _, ...environment } = options.environment ?? {}
  const signedIn = { ...options, environment, input: `${PASSWORD}\n` }
  const stranger = await runCommand(['projects', 'list'], signedIn)
  assert.deepEqual([stranger.code, /Nobody is signed in at .*petstore login/.test(stranger.stderr)], [1, true])
  await runJson(['login', '--email', 'olga@example.com', '--password-stdin'], signedIn)
  const created = await runJson<{ slug: string; role: string }>(['projects', 'create', 'kennel'], signedIn)
  assert.deepEqual([created.slug, created.role], ['kennel', 'owner'])
  const pets = await runJson<unknown[]>(['pets', 'list', '--project', 'kennel'], signedIn)
  assert.deepEqual(pets, [])
  const { link } = await runJson<{ link: string }>(
    ['members', 'invite', 'ada@example.com', '--project', 'kennel'],
    signedIn,
  )
  assert.match(link, /^http/)
  assert.equal((await runJson<{ plan: string }>(['projects', 'plan', 'kennel', 'pro'], signedIn)).plan, 'pro')
  const suspended = await runJson<{ suspension: { reason: string } }>(
    ['projects', 'suspend', 'kennel', '--reason', 'It sends spam.'],
    signedIn,
  )
  assert.equal(suspended.suspension.reason, 'It sends spam.')
  const going = await runCommand(['projects', 'resume', 'kennel'], signedIn)
  assert.deepEqual([going.code, going.stdout], [0, 'Project kennel goes on as it was.\n'])
  const accounts = await runJson<{ email: string }[]>(['users', 'list'], signedIn)
  assert.deepEqual(
    accounts.map(({ email }) => email),
    ['olga@example.com'],
  )
  await runJson(['logout'], signedIn)
  assert.equal((await runCommand(['whoami'], signedIn)).code, 1)
})

test('a deploy token is told what it lacks, and an address that nobody answers at is named', async () => {
  const narrow = await optionsWith(['deploys:write'])
  const refused = await runCommand(['domains', 'list', ...OF], narrow)
  assert.deepEqual([refused.code, refused.stdout], [1, ''])
  assert.equal(refused.stderr, 'This token lacks the scope domains:read: it has deploys:write.\n')
  const nowhere = await run('domains', 'list', ...OF, '--server', 'http://127.0.0.1:1')
  assert.equal(nowhere.code, 1)
  assert.match(nowhere.stderr, /^http:\/\/127\.0\.0\.1:1 cannot be reached/)
})
