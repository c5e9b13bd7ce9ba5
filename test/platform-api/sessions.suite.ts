import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePasswordLink } from '../../src/features/accounts/accounts.ts'
import { COMMAND } from '../../src/features/audit/record.ts'
import { storageOf } from '../../src/features/audit/audited.ts'
import { DAY_MS } from '../../src/platform/clock.ts'
import { expect, type House, PASSWORD, type Person, tokenOf } from './house.ts'

const NEW_PASSWORD = 'another horse, another battery'

/** Sign-in, sessions, passwords and one-time links, as far as the database has a say in them. */
export function sessionGuarantees(house: () => House): void {
  const signedIn = async ({ email }: Person, password = PASSWORD) => {
    const browser = house().browser()
    expect(200, await browser.post('/sign-in', { email, password }))
    return browser
  }
  const passwordLink = async ({ email }: Person) => {
    const { shop, clock } = house()
    const storage = storageOf(shop.petstore.storage, COMMAND, clock)
    return makePasswordLink({ storage, clock, dashboardUrl: 'http://localhost' }, email)
  }

  describe('a session', () => {
    test('begins with a new token at every sign-in, whatever cookie came along', async () => {
      const victim = await house().person()
      const attacker = await house().person()
      const planted = attacker.browser.cookies.get('petstore_session') as string
      const browser = house().browser()
      browser.cookies.set('petstore_session', planted)
      expect(200, await browser.post('/sign-in', { email: victim.email, password: PASSWORD }))
      assert.notEqual(browser.cookies.get('petstore_session'), planted)
      expect(401, await attacker.browser.get('/sessions'))

      const invented = 'A'.repeat(43)
      const other = house().browser()
      other.cookies.set('petstore_session', invented)
      expect(200, await other.post('/sign-in', { email: victim.email, password: PASSWORD }))
      other.cookies.set('petstore_session', invented)
      expect(401, await other.get('/sessions'))
    })

    test('ends at sign-out, and its cookie is worth nothing afterwards', async () => {
      const { browser } = await house().person()
      const cookie = browser.cookies.get('petstore_session') as string
      expect(204, await browser.post('/sign-out'))
      assert.equal(browser.cookies.has('petstore_session'), false)
      browser.cookies.set('petstore_session', cookie)
      expect(401, await browser.get('/projects'))
      assert.equal(expect(200, await browser.get('/session')).account, null)
    })

    test('changes nothing in the name of another account that the request is meant for', async () => {
      const [ada, bob] = [await house().person(), await house().person()]
      const idOf = async ({ browser }: Person) => expect(200, await browser.get('/session')).account.id as string
      const [adas, bobs] = [await idOf(ada), await idOf(bob)]
      const slug = `meant-for-${adas.slice(4, 12).toLowerCase()}`
      const create = (headers: Record<string, string>) =>
        bob.browser.send('/projects', { method: 'POST', body: { slug }, headers })
      const refused = expect(401, await create({ 'Petstore-Account': adas }))
      assert.match(refused.message, /^Somebody else is signed in by now/)
      assert.deepEqual(expect(200, await bob.browser.get('/projects')), [])
      expect(401, await bob.browser.send('/projects', { headers: { 'Petstore-Account': adas } }))
      expect(201, await create({ 'Petstore-Account': bobs }))

      const { token } = expect(
        201,
        await bob.browser.post(`/projects/${slug}/tokens`, { name: 'CI', scopes: ['project:read'] }),
      )
      const byToken = (account: string) =>
        house()
          .browser()
          .send('/projects', { headers: { Authorization: `Bearer ${token}`, 'Petstore-Account': account } })
      expect(401, await byToken(adas))
      expect(200, await byToken(bobs))
      // Who is signed in can be asked, and signed in anew, on whatever page.
      const { account } = expect(200, await bob.browser.send('/session', { headers: { 'Petstore-Account': adas } }))
      assert.equal(account.id, bobs)
    })

    test('can be seen and ended from another one', async () => {
      const person = await house().person()
      const phone = await signedIn(person)
      const sessions = expect(200, await person.browser.get('/sessions'))
      assert.equal(sessions.length, 2)
      assert.deepEqual(sessions.filter((session: { current: boolean }) => session.current).length, 1)
      const other = sessions.find((session: { current: boolean }) => !session.current)
      assert.deepEqual([other.userAgent, other.network], ['Test browser', '127.0.0.1'])
      expect(204, await person.browser.delete(`/sessions/${other.id}`))
      expect(401, await phone.get('/sessions'))
      expect(404, await person.browser.delete(`/sessions/${other.id}`))

      const tablet = await signedIn(person)
      assert.deepEqual(expect(200, await person.browser.post('/sessions/end-others')), { ended: 1 })
      expect(401, await tablet.get('/sessions'))
      expect(200, await person.browser.get('/sessions'))
    })

    test('lasts while it is used, and two weeks when it is not', async () => {
      const used = await house().person()
      const unused = await house().person()
      for (let week = 0; week < 3; week++) {
        house().clock.advance(7 * DAY_MS)
        expect(200, await used.browser.get('/sessions'))
      }
      expect(401, await unused.browser.get('/sessions'))
      await house().travel(0)
    })
  })

  describe('a password', () => {
    test('is changed with the old one; every other session and link ends, this session gets a new token', async () => {
      const person = await house().person()
      const { link } = await passwordLink(person)
      const phone = await signedIn(person)
      const oldCookie = person.browser.cookies.get('petstore_session') as string
      const wrong = { currentPassword: 'not the right one', newPassword: NEW_PASSWORD }
      expect(403, await person.browser.post('/password', wrong))
      expect(200, await phone.get('/sessions'))

      expect(200, await person.browser.post('/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }))
      expect(401, await phone.get('/sessions'))
      const reset = { token: tokenOf(link), password: PASSWORD }
      expect(410, await house().browser().post('/password/reset', reset))
      assert.equal(expect(200, await person.browser.get('/sessions')).length, 1)
      const thief = house().browser()
      thief.cookies.set('petstore_session', oldCookie)
      expect(401, await thief.get('/sessions'))
      const fresh = house().browser('127.0.0.2')
      expect(401, await fresh.post('/sign-in', { email: person.email, password: PASSWORD }))
      expect(200, await fresh.post('/sign-in', { email: person.email, password: NEW_PASSWORD }))
    })

    test('that is new also ends the invitations that the person has made: a thief may have made them', async () => {
      const { slug, owner } = await house().project()
      const invite = async () =>
        expect(201, await owner.browser.post(`/projects/${slug}/invitations`, { role: 'owner' })).link
      const open = (link: string) =>
        house()
          .browser()
          .post('/links/inspect', { token: tokenOf(link) })
      const first = await invite()
      expect(200, await open(first))
      expect(200, await owner.browser.post('/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }))
      expect(410, await open(first))
      const second = await invite()
      const { link } = await passwordLink(owner)
      const reset = { token: tokenOf(link), password: PASSWORD }
      expect(200, await house().browser().post('/password/reset', reset))
      expect(410, await open(second))
    })

    test('is needed to change the address; without mail it changes at once, and open links end', async () => {
      const [person, other] = [await house().person(), await house().person()]
      const { link } = await passwordLink(person)
      const change = (email: string, currentPassword = PASSWORD) =>
        person.browser.post('/account/email', { email, currentPassword })
      expect(403, await change('new@example.com', 'not the right one'))
      expect(400, await change('nonsense'))
      expect(400, await change(person.email))
      expect(409, await change(other.email.toUpperCase()))
      const email = `moved-${person.email}`
      const changed = expect(200, await change(email))
      assert.deepEqual([changed.account.email, changed.sentTo], [email, null])
      assert.equal(expect(200, await person.browser.get('/session')).account.email, email)
      const reset = { token: tokenOf(link), password: NEW_PASSWORD }
      expect(410, await house().browser().post('/password/reset', reset))
      const fresh = house().browser('127.0.0.3')
      expect(401, await fresh.post('/sign-in', { email: person.email, password: PASSWORD }))
      await signedIn({ ...person, email })
    })

    test('is reset through a link that works once; every session that existed ends', async () => {
      const person = await house().person()
      const first = await passwordLink(person)
      const { link } = await passwordLink(person)
      const reset = (url: string) =>
        house()
          .browser()
          .post('/password/reset', { token: tokenOf(url), password: NEW_PASSWORD })
      assert.match(link, /\/password#/)
      expect(410, await reset(first.link))

      const answers = await Promise.all([reset(link), reset(link), reset(link)])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410])
      expect(410, await reset(link))
      expect(401, await person.browser.get('/sessions'))
      await signedIn(person, NEW_PASSWORD)
    })

    test('that is short, uniform or the e-mail address is refused before anything is spent', async () => {
      const { link } = expect(201, await house().operator.browser.post('/operator/invitations'))
      const body = { token: tokenOf(link), email: 'somebody-new@example.com', name: 'Somebody' }
      for (const password of ['short', 'aaaaaaaaaaaaaaaa', 'somebody-new@example.com', 'x'.repeat(300)]) {
        expect(
          400,
          await house()
            .browser()
            .post('/sign-up', { ...body, password }),
        )
      }
      expect(
        200,
        await house()
          .browser()
          .post('/links/inspect', { token: tokenOf(link) }),
      )
    })
  })

  describe('a link', () => {
    test('has one winner among many who use it at once', async () => {
      const { link } = expect(201, await house().operator.browser.post('/operator/invitations'))
      const signUp = (index: number) => {
        const email = `racer-${index}-${house().clock.now()}@example.com`
        return house()
          .browser()
          .post('/sign-up', { token: tokenOf(link), email, name: 'Racer', password: PASSWORD })
      }
      const answers = await Promise.all([signUp(1), signUp(2), signUp(3), signUp(4)])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 410, 410, 410])
    })

    test('survives a sign-up that is refused because the address is taken', async () => {
      const { link } = expect(201, await house().operator.browser.post('/operator/invitations'))
      const body = { token: tokenOf(link), email: house().operator.email, name: 'Twice', password: PASSWORD }
      expect(409, await house().browser().post('/sign-up', body))
      const email = `fresh-${house().clock.now()}@example.com`
      expect(
        201,
        await house()
          .browser()
          .post('/sign-up', { ...body, email }),
      )
    })

    test('expires after a week, and nonsense never worked', async () => {
      const { link } = expect(201, await house().operator.browser.post('/operator/invitations'))
      await house().travel(7 * DAY_MS)
      for (const token of [tokenOf(link), 'A'.repeat(43), 'x', "' or 1=1 --"]) {
        expect(410, await house().browser().post('/links/inspect', { token }))
      }
    })
  })

  test('neither tokens nor passwords are stored as they are', async () => {
    const person = await house().person()
    const { link } = await passwordLink(person)
    const { read } = house().shop.petstore.storage
    const stored = JSON.stringify([
      await read.selectFrom('accounts').selectAll().execute(),
      await read.selectFrom('sessions').selectAll().execute(),
      await read.selectFrom('one_time_links').selectAll().execute(),
      await read.selectFrom('audit_entries').selectAll().execute(),
    ])
    for (const secret of [PASSWORD, tokenOf(link), ...person.browser.cookies.values()]) {
      assert.ok(!stored.includes(secret))
    }
    assert.match(stored, /\$argon2id\$v=19\$/)
  })
}
