import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { loseCodes } from '../../src/features/accounts/second-factors/lost-codes.ts'
import { codeAt, stepAt } from '../../src/features/accounts/second-factors/one-time-code.ts'
import { MINUTE_MS } from '../../src/platform/clock.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { expect, type House, PASSWORD, type Person } from './house.ts'
import { newPasskey } from './passkey.ts'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** One-time codes and recovery codes, as far as the database has a say; passkeys that sign need a browser. */
export function secondFactorGuarantees(house: () => House): void {
  const code = (secret: string, steps = 0) => codeAt(bytesOf(secret), stepAt(house().clock.now()) + steps)
  const signIn = async ({ email }: Person) => {
    const browser = house().browser()
    return { browser, answer: expect(200, await browser.post('/sign-in', { email, password: PASSWORD })) }
  }
  const withCodes = async () => {
    const person = await house().person()
    const { browser } = person
    const begun = expect(200, await browser.post('/account/second-factors/codes', { currentPassword: PASSWORD }))
    const { ticket, secret } = begun
    const confirm = { ticket, code: code(secret), name: 'Phone' }
    const added = expect(201, await browser.post('/account/second-factors/codes/confirm', confirm))
    return { person, secret: secret as string, added, ticket }
  }

  describe('one-time codes', () => {
    test('are switched on by a code of theirs, end the other sessions, and bring recovery codes once', async () => {
      const { person, added, secret, ticket } = await withCodes()
      assert.equal(added.recoveryCodes.length, 10)
      assert.deepEqual(Object.keys(added.factor), ['id', 'kind', 'name', 'createdAt', 'lastUsedAt', 'lost'])
      expect(200, await person.browser.get('/projects'))
      const again = { ticket, code: code(secret), name: 'Phone' }
      expect(410, await person.browser.post('/account/second-factors/codes/confirm', again))
      const shown = expect(200, await person.browser.get('/account/second-factors'))
      assert.deepEqual([shown.factors.length, shown.recoveryCodesLeft], [1, 10])
    })

    test('stand between the password and a session', async () => {
      const { person, secret } = await withCodes()
      const { browser, answer } = await signIn(person)
      assert.equal(answer.account, null)
      assert.deepEqual([answer.secondStep.methods, answer.secondStep.codesLost], [['codes', 'recovery'], false])
      expect(401, await browser.get('/projects'))
      house().clock.advance(MINUTE_MS)
      const { ticket } = answer.secondStep
      expect(401, await browser.post('/sign-in/second-step', { ticket, code: '000000' }))
      expect(200, await browser.post('/sign-in/second-step', { ticket, code: code(secret) }))
      expect(200, await browser.get('/projects'))
      expect(410, await browser.post('/sign-in/second-step', { ticket, code: code(secret, 1) }))
    })

    test('are taken once, also by two who race', async () => {
      const { person, secret } = await withCodes()
      house().clock.advance(MINUTE_MS)
      const [one, other] = [await signIn(person), await signIn(person)]
      const used = code(secret)
      const answers = await Promise.all(
        [one, other].map(({ browser, answer }) =>
          browser.post('/sign-in/second-step', { ticket: answer.secondStep.ticket, code: used }),
        ),
      )
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    })

    test('cannot be found by trying: a ticket takes five guesses, an account ten', async () => {
      const { person } = await withCodes()
      const statuses: number[] = []
      for (let ticket = 0; ticket < 3; ticket++) {
        const { browser, answer } = await signIn(person)
        for (let guess = 0; guess < 6; guess++) {
          const guessed = { ticket: answer.secondStep.ticket, code: '000000' }
          statuses.push((await browser.post('/sign-in/second-step', guessed)).status)
        }
      }
      assert.deepEqual(statuses.slice(0, 12), [...Array<number>(5).fill(401), 410, ...Array<number>(5).fill(401), 410])
      assert.deepEqual(statuses.slice(12), Array<number>(6).fill(429))
    })

    test('a ticket ends with the password that it was given for', async () => {
      const { person, secret } = await withCodes()
      const { browser, answer } = await signIn(person)
      const change = { currentPassword: PASSWORD, newPassword: 'another horse, another battery' }
      expect(200, await person.browser.post('/password', change))
      house().clock.advance(MINUTE_MS)
      const proof = { ticket: answer.secondStep.ticket, code: code(secret) }
      expect(410, await browser.post('/sign-in/second-step', proof))
    })

    test('a ticket is worth nothing after five minutes', async () => {
      const { person, secret } = await withCodes()
      const { browser, answer } = await signIn(person)
      house().clock.advance(5 * MINUTE_MS)
      const proof = { ticket: answer.secondStep.ticket, code: code(secret) }
      expect(410, await browser.post('/sign-in/second-step', proof))
    })
  })

  describe('recovery codes', () => {
    test('sign in once each, however they are typed, and are replaced as a whole', async () => {
      const { person, added } = await withCodes()
      const [first, second] = added.recoveryCodes as [string, string]
      const enter = async (typed: string) => {
        const { browser, answer } = await signIn(person)
        return (await browser.post('/sign-in/second-step', { ticket: answer.secondStep.ticket, code: typed })).status
      }
      assert.equal(await enter(first.toUpperCase().replace('-', ' ')), 200)
      assert.equal(await enter(first), 401)
      const renewal = await person.browser.post('/account/recovery-codes', { currentPassword: PASSWORD })
      const { recoveryCodes } = expect(200, renewal)
      assert.equal(await enter(second), 401)
      assert.equal(await enter(recoveryCodes[0]), 200)
    })

    test('go with the last factor', async () => {
      const { person, added } = await withCodes()
      const remove = `/account/second-factors/${added.factor.id}/remove`
      expect(403, await person.browser.post(remove, { currentPassword: 'wrong horse battery' }))
      expect(204, await person.browser.post(remove, { currentPassword: PASSWORD }))
      expect(404, await person.browser.post(remove, { currentPassword: PASSWORD }))
      assert.equal((await signIn(person)).answer.secondStep, null)
      expect(409, await person.browser.post('/account/recovery-codes', { currentPassword: PASSWORD }))
    })
  })

  const addPasskey = async ({ browser }: Person, { answer }: ReturnType<typeof newPasskey>) => {
    const begun = await browser.post('/account/second-factors/passkey', { currentPassword: PASSWORD })
    const { ticket, options } = expect(200, begun)
    const confirm = { ticket, passkey: answer(options), name: 'Key' }
    return browser.post('/account/second-factors/passkey/confirm', confirm)
  }

  test('while the codes of an app are lost, the last thing that signs somebody in cannot be removed', async () => {
    const { person, added } = await withCodes()
    const passkey = expect(201, await addPasskey(person, newPasskey(house().shop.config.baseUrl.origin))).factor
    const [app, other] = [added.factor, (await withCodes()).added.factor]
    const { storage } = house().shop.petstore
    const remove = ({ id }: { id: string }) =>
      person.browser.post(`/account/second-factors/${id}/remove`, { currentPassword: PASSWORD })
    await storage.write(loseEverythingButPasskeys, undefined)
    assert.match(expect(409, await remove(passkey)).message, /Remove that app first, make new recovery codes/)
    expect(404, await remove(other))
    expect(200, await person.browser.post('/account/recovery-codes', { currentPassword: PASSWORD }))
    expect(204, await remove(passkey))
    await storage.write(loseEverythingButPasskeys, undefined)
    expect(204, await remove(app))
    assert.equal((await signIn(person)).answer.secondStep, null)
  })

  test('a passkey belongs to one account: the second one to add it is told to make another', async () => {
    const passkey = newPasskey(house().shop.config.baseUrl.origin)
    const [one, other] = [await house().person(), await house().person()]
    expect(201, await addPasskey(one, passkey))
    assert.equal(
      expect(409, await addPasskey(other, passkey)).message,
      'This passkey is in use already: make a new one.',
    )
    const shown = expect(200, await other.browser.get('/account/second-factors'))
    assert.deepEqual([shown.factors, shown.recoveryCodesLeft], [[], 0])
  })

  test('whatever stands for a passkey is refused, to strangers too', async () => {
    const answers = [
      'null',
      '12',
      '[]',
      '"ab"',
      '{}',
      '{"id":{}}',
      '{"id":""}',
      '{"id":"a\\u0000b"}',
      '{"id":"é"}',
      'junk',
    ]
    for (const passkey of answers) {
      const { ticket } = expect(200, await house().browser().post('/sign-in/passkey/options'))
      expect(400, await house().browser().post('/sign-in/passkey', { ticket, passkey }))
    }
  })

  test('a project that requires a second factor lets in members who have one, and says so to the others', async () => {
    const { slug, owner } = await house().project()
    const member = await house().member(owner, slug, 'viewer')
    const require = { method: 'PATCH', body: { requireSecondFactor: true } }
    expect(409, await owner.browser.send(`/projects/${slug}`, require))
    const begun = await owner.browser.post('/account/second-factors/codes', { currentPassword: PASSWORD })
    const { ticket, secret } = expect(200, begun)
    const confirm = { ticket, code: code(secret), name: 'Phone' }
    expect(201, await owner.browser.post('/account/second-factors/codes/confirm', confirm))
    assert.equal(expect(200, await owner.browser.send(`/projects/${slug}`, require)).requireSecondFactor, true)
    const refusal = expect(403, await member.browser.get(`/projects/${slug}`))
    assert.match(refusal.message, /passkey or one-time codes/)
    expect(200, await member.browser.get('/projects'))
    expect(200, await owner.browser.get(`/projects/${slug}`))
  })
}

/** As giving the master key up does, for people who have used their recovery codes up. */
const loseEverythingButPasskeys = defineWrite('test.loseEverythingButPasskeys', async (db) => {
  await loseCodes(db)
  await db.deleteFrom('recovery_codes').execute()
})

export function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
