import assert from 'node:assert/strict'
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { verifyWebhook } from '../../client/src/webhooks/webhooks.ts'
import { giveUp } from '../../src/commands/master-key/lost.ts'
import { codeAt, stepAt } from '../../src/features/accounts/second-factors/one-time-code.ts'
import { createAccountStore } from '../../src/features/certificates/acme/account-store.ts'
import { createVault, orderKey } from '../../src/features/certificates/vault.ts'
import { migrations } from '../../src/migrations.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { defineWrite, type Storage } from '../../src/platform/storage/storage.ts'
import type { FirstKeys } from '../../src/service/first-start.ts'
import { type SmtpServer, startSmtpServer } from '../domains/smtp-server.ts'
import { handshake } from '../edge/tls-fixture.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { type Receiver, startReceiver } from '../harness/webhook-receiver.ts'
import { Browser } from '../platform-api/browser.ts'
import { attachSandboxDomain, expect, PASSWORD, tokenOf } from '../platform-api/house.ts'
import { bytesOf } from '../platform-api/second-factors.suite.ts'
import { runCommand, runJson, startCommand, temporaryDirectory } from './command.ts'

const ROOT = join(import.meta.dirname, '../..')
const HOST = 'www.example.test'
const CA = 'https://ca.example/directory'
const GIVE_UP = ['master-key', 'give-up']
const WEBHOOKS = '/projects/petstore/webhooks'
const BOTH_WAYS = /Put the file back at .*If there is no copy anywhere, `petstore master-key give-up` says what is lost/

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`a lost master key on ${engine}`, { timeout: 300_000 }, () => {
    const home = temporaryDirectory()
    const data = join(home.path, 'data')
    const key = join(data, 'master.key')
    let postgres: PostgresDatabases | undefined
    let smtp: SmtpServer
    let receiver: Receiver
    let environment: Record<string, string>
    let world: Filled

    before(async () => {
      if (engine === 'postgres') postgres = await openPostgres()
      smtp = await startSmtpServer()
      smtp.busy = true
      receiver = await startReceiver()
      receiver.answer = (_, response) => void response.writeHead(503).end()
      environment = {
        PETSTORE_DATA: data,
        PETSTORE_SMTP_URL: smtp.url,
        PETSTORE_MAIL_FROM: 'shop@example.com',
        PETSTORE_SMTP_TLS: 'optional',
        PETSTORE_BASE_URL: 'http://localhost:4000/v1',
        ...(postgres ? { DATABASE_URL: await postgres.createSchema() } : {}),
      }
      await using shop = await start()
      world = await fill(shop, receiver)
      // It goes on serving; whoever asks for it to be given up is told where the key may be found.
      renameSync(key, join(home.path, 'kept'))
      const refused = await runCommand([...GIVE_UP, '--confirm'], { environment })
      assert.deepEqual(
        [refused.code, /^A service .* has the key: look into its settings/.test(refused.stderr)],
        [1, true],
      )
      renameSync(join(home.path, 'kept'), key)
    })
    after(async () => {
      await receiver[Symbol.asyncDispose]()
      await smtp[Symbol.asyncDispose]()
      await postgres?.[Symbol.asyncDispose]()
      home[Symbol.dispose]()
    })

    const start = (keys?: FirstKeys) => {
      const { PETSTORE_BASE_URL: _, ...place } = environment
      return startTestPetstore({ dataDirectory: data, environment: place, ...(keys ? { keys } : {}) })
    }

    const withStorage = async <T>(use: (storage: Storage) => Promise<T>): Promise<T> => {
      const { DATABASE_URL: databaseUrl } = environment
      await using storage = await openStorage({ dataDirectory: data, databaseUrl, migrations, onError: assert.fail })
      return await use(storage)
    }
    /** Every row of every table. */
    const everything = () =>
      withStorage(async ({ read }): Promise<Record<string, unknown[]>> => {
        const tables = (await read.introspection.getTables()).map(({ name }) => name).sort()
        const rows = tables.map((table) =>
          read
            .selectFrom(table as 'settings')
            .selectAll()
            .execute(),
        )
        return Object.fromEntries((await Promise.all(rows)).map((found, index) => [tables[index] as string, found]))
      })
    const holdersOf = (rows: Record<string, unknown[]>, text: string) =>
      Object.keys(rows).filter((table) => JSON.stringify(rows[table]).includes(text))

    test('is refused to be given up while the right key is anywhere here', async () => {
      const here = await runCommand([...GIVE_UP, '--confirm'], { environment })
      assert.deepEqual([here.code, /nothing is lost, .*Start the service with it\.$/m.test(here.stderr)], [1, true])
      const hidden = { ...environment, PETSTORE_MASTER_KEY: 'ab'.repeat(32) }
      const behind = await runCommand([...GIVE_UP, '--confirm'], { environment: hidden })
      assert.deepEqual(
        [behind.code, /and without PETSTORE_MASTER_KEY, which is another\.$/m.test(behind.stderr)],
        [1, true],
      )
      const kept = join(data, 'kept by somebody')
      renameSync(key, kept)
      const aside = await runCommand([...GIVE_UP, '--confirm'], { environment })
      assert.deepEqual([aside.code, aside.stderr.startsWith(`${kept} holds the master key (`)], [1, true])
      renameSync(kept, key)
      const elsewhere = { ...environment, PETSTORE_DATA: join(home.path, 'elsewhere') }
      const lost = await runCommand([...GIVE_UP, '--confirm'], { environment: elsewhere })
      assert.deepEqual([lost.code, /^There is no data(?:base at| directory) /.test(lost.stderr)], [1, true])
    })

    test('stops a start, which names both ways; to ask what is lost changes nothing', async () => {
      rmSync(key)
      await assert.rejects(start(), BOTH_WAYS)
      const before = await everything()
      assert.deepEqual(holdersOf(before, `v1.${world.keyId}.`), [
        'acme_accounts',
        'ca_roots',
        'certificates',
        'factor_challenges',
        'issuances',
        'mails',
        'second_factors',
        'settings',
        'webhook_endpoints',
      ])
      const { stdout, code } = await runCommand(GIVE_UP, { environment })
      assert.equal(code, 0)
      assert.match(
        stdout,
        /^The master key .* is not here: .* there is no .*keys of certificates: 1\. .*Nothing has been changed/s,
      )
      assert.match(stdout, /reset-password EMAIL --print-link`: vera@example\.com$/m)
      const { givenUp, ...lost } = await runJson<Record<string, unknown>>(GIVE_UP, { environment })
      assert.equal(givenUp, false)
      const late = { keyId: 'another', now: Date.now(), rehearsal: false, isRunning: () => new Error('not asked') }
      await assert.rejects(
        withStorage((storage) => storage.write(giveUp, late)),
        /has changed meanwhile/,
      )
      assert.deepEqual(lost, {
        keyId: world.keyId,
        certificates: 1,
        revocations: 0,
        orders: 1,
        accounts: [CA],
        root: true,
        domainConnectKey: true,
        webhookSecrets: 2,
        codes: 2,
        lockedOut: ['vera@example.com'],
        mails: 1,
      })
      assert.deepEqual(await everything(), before)
    })

    if (engine === 'postgres') {
      test('that is being given up when the command is killed is as before, and it is simply run again', async () => {
        const [holder, onlooker] = [0, 1].map(() => new pg.Client(environment.DATABASE_URL)) as [pg.Client, pg.Client]
        await Promise.all([holder.connect(), onlooker.connect()])
        const before = await everything()
        const isWaiting = async () =>
          (await onlooker.query(`select from pg_stat_activity where wait_event_type = 'Lock'`)).rowCount !== 0
        // What it comes to last: everything else is done by then, in its transaction.
        await holder.query('begin; lock table mails in exclusive mode')
        const killed = startCommand([...GIVE_UP, '--confirm'], { environment })
        await until('the command waits', isWaiting)
        killed.child.kill('SIGKILL')
        await killed.ended
        await holder.end()
        await until('its transaction has ended', async () => !(await isWaiting()))
        await onlooker.end()
        assert.deepEqual(await everything(), before)
      })
    }

    test('is given up with what it sealed: the service starts anew, and a password alone opens nothing', async () => {
      const done = await runCommand([...GIVE_UP, '--confirm'], { environment })
      assert.deepEqual([done.code, done.stderr], [0, ''])
      assert.ok(done.stdout.includes(`Start the service, which makes ${key} as its master key`), done.stdout)
      // The entry in the log says which it was, and so does the mail to the operator.
      const left = await everything()
      assert.deepEqual(holdersOf(left, world.keyId), ['audit_entries', 'mails'])
      const [, , invitation] = left.mails as { id: number; recipient: string }[]
      assert.equal(invitation?.recipient, 'invited@example.com')
      const waiting = left.work as { queue: string; subject: string }[]
      const toSend = waiting.flatMap(({ queue, subject }) => (queue === 'account mail' ? Number(subject) : []))
      assert.deepEqual([toSend.includes(invitation.id), toSend.length], [false, 6])
      const again = await runCommand([...GIVE_UP, '--confirm'], { environment })
      assert.deepEqual([again.code, again.stdout.startsWith('Nothing in this database is sealed')], [0, true])
      const early = await runCommand(['users', 'reset-password', 'vera@example.com'], { environment })
      assert.deepEqual([early.code, /^No service has been started .* --print-link/.test(early.stderr)], [1, true])

      smtp.busy = false
      await using shop = await start(world.keys)
      const owner = new Browser(shop)
      for (const [name, value] of world.cookies) owner.cookies.set(name, value)
      assert.notEqual(readFileSync(key, 'utf8'), world.key)
      await certificatesComeBack(shop, owner)
      await webhooksGoOn(shop, owner)
      await accountsAreStillClosed(shop, owner)
      await peopleAreTold(owner)
      const entries = shop.petstore.storage.read.selectFrom('audit_entries').select(['subject', 'actor_kind'])
      const [entry, ...others] = await entries.where('verb', '=', 'master-key.give-up').execute()
      assert.deepEqual([entry?.subject, entry?.actor_kind, others], [world.keyId, 'command', []])
    })

    async function certificatesComeBack(shop: TestPetstore, owner: Browser): Promise<void> {
      const domain = async () => expect(200, await owner.get(`/projects/petstore/domains/${HOST}`))
      assert.notEqual((await domain()).verifiedAt, null)
      await until('the domain is live again', async () => (await domain()).state === 'live')
      assert.notEqual(await fingerprintOf(shop), world.fingerprint)
      assert.deepEqual(await shop.petstore.storage.read.selectFrom('issuances').selectAll().execute(), [])
    }

    async function webhooksGoOn(shop: TestPetstore, owner: Browser): Promise<void> {
      const endpoint = `${WEBHOOKS}/${world.webhook}`
      assert.deepEqual(
        expect(200, await owner.get(WEBHOOKS)).map(({ offReason }: { offReason: string }) => offReason),
        ['secret_lost', 'person'],
      )
      const before = receiver.received.length
      await shop.call('/pets', { method: 'POST', body: { name: 'Meanwhile', categoryId: 1 } })
      const refused = expect(409, await owner.patch(endpoint, { on: true }))
      assert.match(refused.message, /rotate the secret first/)
      assert.equal(receiver.received.length, before)

      receiver.answer = (_, response) => void response.writeHead(204).end()
      const { secret, state, oldSecretUntil } = expect(
        201,
        await owner.post(`${endpoint}/rotate`, { overlapHours: 24 }),
      )
      assert.deepEqual([state, oldSecretUntil], ['on', null])
      const logged: { verb: string; details: object }[] = expect(
        200,
        await owner.get('/projects/petstore/audit?about=webhook'),
      )
      assert.deepEqual(
        logged.slice(0, 3).map(({ verb, details }) => [verb, details]),
        [
          ['webhook.change', { on: true }],
          ['webhook.rotate', {}],
          ['webhook.off', { reason: 'secret_lost', url: receiver.url }],
        ],
      )
      await until('what waited is told', () => receiver.received.length === before + 2)
      const told = receiver.received.slice(before)
      assert.deepEqual(told.map(({ event }) => event.data.name).sort(), ['Meanwhile', 'Rex'])
      for (const { headers, body } of told) await verifyWebhook(secret, headers as Record<string, string>, body)
      const other = `${WEBHOOKS}/${world.switchedOff}`
      assert.equal(expect(201, await owner.post(`${other}/rotate`, { overlapHours: 0 })).state, 'off')
    }

    async function accountsAreStillClosed(shop: TestPetstore, owner: Browser): Promise<void> {
      const shown = expect(200, await owner.get('/account/second-factors'))
      assert.deepEqual([shown.factors[0].lost, shown.recoveryCodesLeft], [true, 10])
      const browser = new Browser(shop)
      const signIn = { email: 'olga@example.com', password: PASSWORD }
      const { account, secondStep } = expect(200, await browser.post('/sign-in', signIn))
      assert.deepEqual([account, secondStep.methods, secondStep.codesLost], [null, ['recovery'], true])
      const { ticket } = secondStep
      const code = codeAt(bytesOf(world.codes.secret), stepAt(Date.now()))
      expect(401, await browser.post('/sign-in/second-step', { ticket, code }))
      expect(200, await browser.post('/sign-in/second-step', { ticket, code: world.codes.recoveryCodes[0] }))
    }

    async function peopleAreTold(owner: Browser): Promise<void> {
      const subjects = () => smtp.mails.map(({ to, text }) => `${to}: ${/Subject: (.*)/.exec(text)?.[1]}`)
      const wanted = [
        'olga@example.com: A lost master key has been given up',
        'olga@example.com: A webhook endpoint is switched off',
        'olga@example.com: Your one-time codes do not work any more',
        'vera@example.com: Your one-time codes do not work any more',
      ]
      await until('people are told', () => wanted.every((one) => subjects().includes(one)))
      assert.ok(!smtp.mails.some(({ to }) => to === 'invited@example.com'))
      const [invitation] = expect(200, await owner.get('/projects/petstore/invitations'))
      assert.match(invitation.mailRefusal, /lost with the master key/)
    }
  })
}

test('a file that holds no key is moved away first, and another key is taken over', async () => {
  using data = temporaryDirectory()
  const environment = { PETSTORE_DATA: data.path }
  const key = join(data.path, 'master.key')
  const elsewhere = await runCommand(GIVE_UP, { environment })
  assert.deepEqual([elsewhere.code, elsewhere.stderr.startsWith('There is no database at ')], [1, true])
  let keys: FirstKeys
  {
    await using shop = await startTestPetstore({ dataDirectory: data.path })
    keys = shop.keys
  }
  writeFileSync(key, 'torn', { mode: 0o600 })
  const torn = /master\.key does not hold a master key\. .* move this file away: then `petstore master-key give-up`/
  await assert.rejects(startTestPetstore({ dataDirectory: data.path }), torn)
  assert.match((await runCommand([...GIVE_UP, '--confirm'], { environment })).stderr, torn)
  rmSync(key)
  const other = { PETSTORE_MASTER_KEY: 'ab'.repeat(32) }
  const given = await runCommand([...GIVE_UP, '--confirm'], { environment: { ...environment, ...other } })
  assert.match(given.stdout, /nothing but the key: .*which uses PETSTORE_MASTER_KEY/s)
  await using shop = await startTestPetstore({ dataDirectory: data.path, keys, environment: other })
  assert.equal((await shop.call('/pets')).status, 200)
})

test('everything that is sealed with the master key can be given up', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts'] })
  const sealing = files.filter((path) => /[sS]ealer\.seal\(|vault\.seal\(/.test(readFileSync(join(ROOT, path), 'utf8')))
  // Whoever seals more says in src/commands/master-key/lost.ts what becomes of it, and fills it in below.
  assert.deepEqual(sealing.sort(), [
    'src/features/accounts/mail/link-mail.ts',
    'src/features/accounts/second-factors/second-factors.ts',
    'src/features/certificates/acme/account-store.ts',
    'src/features/certificates/authority/root.ts',
    'src/features/certificates/order/order.ts',
    'src/features/certificates/platform-certificates.ts',
    'src/features/domains/connect/signing-key.ts',
    'src/features/webhooks/listen.ts',
    'src/features/webhooks/webhooks.ts',
  ])
})

interface Filled {
  keys: FirstKeys
  key: string
  keyId: string
  cookies: Map<string, string>
  fingerprint: string
  webhook: string
  switchedOff: string
  codes: { secret: string; recoveryCodes: string[] }
}

/** Something of all that a master key seals. */
async function fill(shop: TestPetstore, receiver: Receiver): Promise<Filled> {
  const owner = new Browser(shop)
  const token = tokenOf(shop.petstore.ownerLink as string)
  expect(201, await owner.post('/sign-up', { token, email: 'olga@example.com', name: 'Olga', password: PASSWORD }))
  const codes = await addCodes(owner)
  const vera = new Browser(shop)
  const { link } = expect(201, await owner.post('/projects/petstore/invitations', { role: 'viewer' }))
  const person = { token: tokenOf(link), email: 'vera@example.com', name: 'Vera', password: PASSWORD }
  expect(201, await vera.post('/sign-up', person))
  await addCodes(vera)
  await shop.petstore.storage.write(useUpRecoveryCodes, person.email)
  expect(200, await vera.post('/account/second-factors/codes', { currentPassword: PASSWORD }))

  const endpoint = { url: receiver.url, events: ['pet.created'] }
  const webhook = expect(201, await owner.post(WEBHOOKS, endpoint)).id
  const switchedOff = expect(201, await owner.post(WEBHOOKS, endpoint)).id
  expect(200, await owner.patch(`${WEBHOOKS}/${switchedOff}`, { on: false }))
  expect(201, await owner.post('/projects/petstore/listeners', {}))
  await shop.call('/pets', { method: 'POST', body: { name: 'Rex', categoryId: 1 } })

  await publishOwnSite(shop.petstore)
  await attachSandboxDomain(owner, HOST)
  expect(200, await owner.get('/operator/domain-connect'))
  expect(201, await owner.post('/projects/petstore/invitations', { role: 'viewer', email: 'invited@example.com' }))

  const key = readFileSync(join(shop.config.dataDirectory, 'master.key'), 'utf8')
  const vault = createVault(Buffer.from(key.trim(), 'base64url'))
  const { storage } = shop.petstore
  await createAccountStore(storage, vault).keep({ directoryUrl: CA, privateKeyPem: 'a key', url: undefined })
  await storage.write(beginOrder, vault.seal(orderKey(HOST), 'a key'))
  const fingerprint = await fingerprintOf(shop)
  const { keys } = shop
  return { keys, key, keyId: vault.keyId, cookies: owner.cookies, fingerprint, webhook, switchedOff, codes }
}

async function addCodes(browser: Browser): Promise<Filled['codes']> {
  const begun = expect(200, await browser.post('/account/second-factors/codes', { currentPassword: PASSWORD }))
  const { ticket, secret } = begun
  const confirm = { ticket, code: codeAt(bytesOf(secret), stepAt(Date.now())), name: 'Phone' }
  const { recoveryCodes } = expect(201, await browser.post('/account/second-factors/codes/confirm', confirm))
  return { secret, recoveryCodes }
}

const useUpRecoveryCodes = defineWrite('test.useUpRecoveryCodes', async (db, email: string) => {
  const { id } = await db.selectFrom('accounts').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  await db.deleteFrom('recovery_codes').where('account_id', '=', id).execute()
})

/** A renewal under way. */
const beginOrder = defineWrite('test.beginOrder', async (db, sealed_key: string) => {
  const issuance_order = JSON.stringify({
    issuer: 'internal',
    step: 'planned',
    names: [HOST],
    replaces: null,
    answers: [],
  })
  const none = { failures: 0, attempted_at: null, next_attempt_at: null, problem: null }
  await db
    .insertInto('issuances')
    .values({ hostname: HOST, since: 0, issuance_order, sealed_key, ...none })
    .execute()
})

/** Of the certificate that visitors are shown. */
async function fingerprintOf({ config, petstore }: TestPetstore): Promise<string> {
  const { socket } = await handshake(config.httpsPort, { servername: HOST, ca: await petstore.rootPem() })
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256
}
