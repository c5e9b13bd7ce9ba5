import assert from 'node:assert/strict'
import { argon2, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { storageOf } from '../../src/features/audit/audited.ts'
import { createAccount, listAccounts, makePasswordLink } from '../../src/features/accounts/accounts.ts'
import { Passwords } from '../../src/features/accounts/passwords/passwords.ts'
import { signIn } from '../../src/features/accounts/sign-in.ts'
import { SignInThrottle } from '../../src/features/accounts/throttle.ts'
import { createVault } from '../../src/features/certificates/vault.ts'
import { findProject } from '../../src/features/projects/projects.ts'
import { COMMAND, VISITOR } from '../../src/features/audit/record.ts'
import { MINUTE_MS } from '../../src/platform/clock.ts'
import { expect, type House, openHouse, PASSWORD, tokenOf } from './house.ts'

let house: House
before(async () => {
  house = await openHouse({ environment: { PETSTORE_SIGNUP: 'open' } })
})
after(() => house?.[Symbol.asyncDispose]())

const count = (statuses: number[], status: number) => statuses.filter((each) => each === status).length

const wrong = (email: string) => ({ email, password: 'a wrong password' })

describe('guessing', () => {
  test('from one network is slowed down after twenty, whatever accounts are tried', async () => {
    const attacker = house.browser('127.0.1.1')
    const statuses: number[] = []
    for (let index = 0; index < 30; index++) {
      statuses.push((await attacker.post('/sign-in', wrong(`nobody-${index}@example.com`))).status)
    }
    assert.deepEqual([count(statuses, 401), count(statuses, 429)], [20, 10])
    const refused = await attacker.post('/sign-in', wrong('nobody@example.com'))
    assert.equal(refused.headers['retry-after'], '15')
    assert.match(expect(429, refused).message, /wait 15 seconds/)
  })

  test('at one account from one network is slowed down, and keeps the owner out nowhere else', async () => {
    const { email } = await house.person()
    const attacker = house.browser('127.0.15.1')
    const statuses: number[] = []
    for (let index = 0; index < 15; index++) statuses.push((await attacker.post('/sign-in', wrong(email))).status)
    assert.deepEqual([count(statuses, 401), count(statuses, 429)], [10, 5])
    expect(200, await house.browser('127.0.15.2').post('/sign-in', { email, password: PASSWORD }))
  })

  test('at one account from many networks is slowed down, and the owner is not locked out', async () => {
    const owner = await house.person()
    const statuses: number[] = []
    for (let index = 0; index < 110; index++) {
      const attacker = house.browser(`127.0.2.${index + 1}`)
      statuses.push((await attacker.post('/sign-in', wrong(owner.email))).status)
    }
    assert.deepEqual([count(statuses, 401), count(statuses, 429)], [100, 10])

    expect(200, await owner.browser.get('/sessions'))
    expect(204, await owner.browser.post('/sign-out'))
    expect(200, await owner.browser.post('/sign-in', { email: owner.email, password: PASSWORD }))

    const phoneAtHome = house.browser()
    expect(200, await phoneAtHome.post('/sign-in', { email: owner.email, password: PASSWORD }))
    const elsewhere = house.browser('127.0.3.1')
    expect(429, await elsewhere.post('/sign-in', { email: owner.email, password: PASSWORD }))
    house.clock.advance(MINUTE_MS)
    expect(200, await elsewhere.post('/sign-in', { email: owner.email, password: PASSWORD }))
  })

  test('never keeps a link for a new password from letting its owner in on a new device', async () => {
    const { email } = await house.person()
    for (let index = 0; index < 105; index++) {
      await house.browser(`127.0.16.${index + 1}`).post('/sign-in', wrong(email))
    }
    const { shop, clock } = house
    const storage = storageOf(shop.petstore.storage, COMMAND, clock)
    const { link } = await makePasswordLink({ storage, clock, dashboardUrl: 'http://x' }, email)
    const elsewhere = house.browser('127.0.17.1')
    expect(429, await elsewhere.post('/sign-in', { email, password: PASSWORD }))
    expect(200, await elsewhere.post('/password/reset', { token: tokenOf(link), password: 'another horse, a stable' }))
    expect(200, await elsewhere.get('/sessions'))
    expect(204, await elsewhere.post('/sign-out'))
    expect(200, await elsewhere.post('/sign-in', { email, password: 'another horse, a stable' }))
  })

  test('nothing, but asking for passkeys without pause, is refused to a network and to no other', async () => {
    const [eve, ada] = [house.browser('127.0.4.1'), house.browser('127.0.4.2')]
    const statuses: number[] = []
    for (let index = 0; index < 70; index++) statuses.push((await eve.post('/sign-in/passkey/options')).status)
    assert.deepEqual([count(statuses, 200), count(statuses, 429)], [60, 10])
    const rows = await house.shop.petstore.storage.read.selectFrom('factor_challenges').select('purpose').execute()
    assert.equal(rows.length, 60)
    expect(200, await ada.post('/sign-in/passkey/options'))
  })

  test('with a stolen session at the old password is slowed down as well', async () => {
    const { browser } = await house.person()
    const change = { currentPassword: 'a wrong password', newPassword: 'a new password, long enough' }
    const statuses: number[] = []
    for (let index = 0; index < 25; index++) statuses.push((await browser.post('/password', change)).status)
    assert.deepEqual([count(statuses, 403), count(statuses, 429)], [20, 5])
  })

  test('an unknown address costs the same work as a known one and gets the same answer', async () => {
    const { email } = await house.person()
    const { shop, clock } = house
    const work: string[] = []
    const counting = ((algorithm, parameters, callback) => {
      const { memory, passes, parallelism, tagLength } = parameters
      work.push([algorithm, memory, passes, parallelism, tagLength].join(' '))
      argon2(algorithm, parameters, callback)
    }) as typeof argon2
    const parts = {
      storage: storageOf(shop.petstore.storage, VISITOR, clock),
      clock,
      passwords: new Passwords({ cost: { memoryKib: 16, passes: 1 }, argon2: counting }),
      throttle: new SignInThrottle(clock),
      deviceSecret: 'secret',
      party: { name: 'Petstore', id: 'localhost', origin: 'http://localhost' },
      sealer: createVault(randomBytes(32)),
    }
    const visitor = { network: '192.0.2.1', userAgent: '', sessionToken: undefined, deviceMark: undefined }
    const refusal = (input: { email: string; password: string }) =>
      signIn(parts, input, visitor).then(
        () => assert.fail('it was accepted'),
        (error: Error) => error.message,
      )
    assert.equal(await refusal(wrong(email)), await refusal(wrong('unknown@example.com')))
    assert.equal(work.length, 2)
    assert.equal(work[0], work[1])
    const visitorElsewhere = house.browser('127.0.4.1')
    const known = await visitorElsewhere.post('/sign-in', wrong(email))
    const unknown = await visitorElsewhere.post('/sign-in', wrong('unknown@example.com'))
    assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
  })
})

describe('open sign-up', () => {
  test('gives an account without an invitation, a few from one network', async () => {
    const statuses: number[] = []
    const browser = house.browser('127.0.5.1')
    for (let index = 0; index < 12; index++) {
      const body = { email: `open-${index}@example.com`, name: 'Open', password: PASSWORD }
      statuses.push((await browser.post('/sign-up', body)).status)
    }
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 201), 429, 429])
    expect(200, await browser.get('/projects'))
  })

  test('of an address that somebody else registered first gives them nothing of its owner', async () => {
    const email = 'victim@example.com'
    const squatter = house.browser('127.0.6.1')
    expect(201, await squatter.post('/sign-up', { email, name: 'Squatter', password: PASSWORD }))
    const { slug, owner } = await house.project()
    const { link } = expect(201, await owner.browser.post(`/projects/${slug}/invitations`, { role: 'editor', email }))
    expect(404, await squatter.get(`/projects/${slug}`))

    // The owner of the address gets a link from the operator, sets a password, and the squatter is out.
    const { shop, clock } = house
    const parts = { storage: storageOf(shop.petstore.storage, COMMAND, clock), clock, dashboardUrl: 'http://x' }
    const victim = house.browser('127.0.6.2')
    const reset = await makePasswordLink(parts, email)
    expect(200, await victim.post('/password/reset', { token: tokenOf(reset.link), password: 'only the victim knows' }))
    expect(401, await squatter.get('/sessions'))
    expect(401, await squatter.post('/sign-in', { email, password: PASSWORD }))
    expect(200, await victim.post('/invitations/accept', { token: tokenOf(link) }))
  })
})

test('without a mail server a forgotten password is told whom to ask, and nothing waits to be sent', async () => {
  const { email } = await house.person()
  const browser = house.browser('127.0.14.1')
  assert.match(
    expect(404, await browser.post('/password/forgot', { email })).message,
    /sends no mail: ask whoever runs it/,
  )
  expect(200, await browser.post('/sign-in', { email, password: PASSWORD }))
  expect(404, await browser.post('/account/email/confirmation'))
  assert.deepEqual(await house.shop.petstore.storage.read.selectFrom('mails').selectAll().execute(), [])
})

describe("the operator's command", () => {
  const parts = () => ({
    storage: storageOf(house.shop.petstore.storage, COMMAND, house.clock),
    clock: house.clock,
    dashboardUrl: 'http://localhost',
  })

  test('creates an account without a password, whose link lets its person choose one', async () => {
    const { id: projectId } = await findProject(parts(), 'petstore')
    const membership = { projectId, role: 'editor' }
    const created = await createAccount(parts(), { email: 'Ada@Example.com', operator: true, membership })
    assert.deepEqual([created.email, created.name, created.operator], ['ada@example.com', 'ada', true])
    const browser = house.browser('127.0.7.1')
    expect(401, await browser.post('/sign-in', { email: created.email, password: PASSWORD }))
    const promise = expect(200, await browser.post('/links/inspect', { token: tokenOf(created.link) }))
    assert.deepEqual([promise.kind, promise.email], ['password', 'ada@example.com'])
    expect(200, await browser.post('/password/reset', { token: tokenOf(created.link), password: PASSWORD }))
    assert.equal(expect(200, await browser.get('/projects/petstore')).role, 'editor')
    expect(200, await browser.get('/operator/accounts'))
    assert.ok((await listAccounts(parts())).some(({ email }) => email === 'ada@example.com'))
  })

  test('says what is wrong', async () => {
    await assert.rejects(createAccount(parts(), { email: house.operator.email }), { code: 'conflict' })
    await assert.rejects(createAccount(parts(), { email: 'nonsense' }), { code: 'invalid_request' })
    const almighty = { email: 'b@example.com', membership: { projectId: 1, role: 'god' } }
    await assert.rejects(createAccount(parts(), almighty), { code: 'invalid_request' })
  })
})
