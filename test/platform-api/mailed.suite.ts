import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '../../src/features/accounts/accounts.ts'
import { storageOf } from '../../src/features/audit/audited.ts'
import { COMMAND } from '../../src/features/audit/record.ts'
import { DAY_MS, HOUR_MS } from '../../src/platform/clock.ts'
import { until } from '../harness/until.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { expect, PASSWORD, type Person } from './house.ts'
import { mailTo, type MailedWorld, tokenIn } from './mailed-world.ts'

const keepAddress = defineWrite(
  'test.keepAddress',
  async (db, { of, email }: { of: string; email: string }) => {
    await db.updateTable('accounts').set({ email }).where('email', '=', of).execute()
  },
  { note: () => undefined },
)

/** Invitations that leave by mail, and what becomes of mails that cannot. */
export function mailGuarantees(world: () => MailedWorld): void {
  test('an invitation with an address is mailed, and its link is shown as well', async () => {
    const { house } = world()
    const { slug, owner } = await house.project()
    const invite = (body: object) => owner.browser.post(`/projects/${slug}/invitations`, body)
    assert.equal(expect(201, await invite({ role: 'editor' })).mail, null)
    const made = expect(201, await invite({ role: 'editor', email: 'guest@example.com' }))
    assert.equal(made.mail, 'queued')
    const mail = await mailTo(world(), 'guest@example.com', /Subject: Join/)
    assert.match(mail, new RegExp(`${owner.email} invites you to the project .*, as editor`))
    const mailed = tokenIn(mail)
    assert.notEqual(mailed, made.link.split('#')[1], 'the one who was shown the link cannot claim to have been mailed')
    const state = async () => expect(200, await owner.browser.get(`/invitations/${made.id}/mail`)).mail
    await until('it counts as sent', async () => (await state()) === 'sent')
    const listed = expect(200, await owner.browser.get(`/projects/${slug}/invitations`))
    assert.deepEqual(listed.map((each: { mail: string }) => each.mail).toSorted(), [null, 'sent'].toSorted())
    expect(404, await house.operator.browser.get(`/invitations/${made.id}/mail`))

    const body = { token: mailed, email: 'guest@example.com', name: 'Guest', password: PASSWORD }
    expect(201, await house.browser().post('/sign-up', body))
    expect(410, await house.browser().post('/links/inspect', { token: made.link.split('#')[1] }))
  })

  test('an address in letters and as DNS writes it is one person, and mail reaches them', async () => {
    const { house } = world()
    const { slug, owner } = await house.project()
    const invited = await owner.browser.post(`/projects/${slug}/invitations`, { role: 'viewer', email: 'ida@faß.de' })
    assert.equal(expect(201, invited).email, 'ida@faß.de')
    const token = tokenIn(await mailTo(world(), 'ida@xn--fa-hia.de', /Subject: Join/))
    const ida = { email: 'Ida@XN--FA-HIA.de', name: 'Ida', password: PASSWORD }
    const { account } = expect(201, await house.browser().post('/sign-up', { token, ...ida }))
    assert.deepEqual([account.email, account.confirmed], ['ida@faß.de', true])
    for (const email of ['ida@faß.de', 'ida@xn--fa-hia.de']) {
      const signedIn = expect(200, await house.browser().post('/sign-in', { email, password: PASSWORD }))
      assert.equal(signedIn.account.id, account.id)
    }
  })

  test('an address that an older version has kept as DNS writes it is found by both spellings', async () => {
    const { house } = world()
    const { storage } = house.shop.petstore
    const [kept, other] = [await house.person(), await house.person()]
    const spell = (of: Person, email: string) => storage.write(keepAddress, { of: of.email, email })
    const signIn = async (email: string) =>
      expect(200, await house.browser().post('/sign-in', { email, password: PASSWORD })).account
    await spell(kept, 'olga@xn--fa-hia.de')
    for (const email of ['olga@faß.de', 'olga@xn--fa-hia.de']) {
      assert.equal((await signIn(email)).email, 'olga@xn--fa-hia.de')
      const change = { email, currentPassword: PASSWORD }
      assert.match(expect(409, await other.browser.post('/account/email', change)).message, /another account has it/)
      assert.match(expect(400, await kept.browser.post('/account/email', change)).message, /the one that you have/)
    }
    const needs = { storage: storageOf(storage, COMMAND, house.clock), clock: house.clock, dashboardUrl: 'http://x' }
    await assert.rejects(createAccount(needs, { email: 'olga@faß.de' }), { code: 'conflict' })
    const { slug, owner } = await house.project()
    expect(201, await owner.browser.post(`/projects/${slug}/invitations`, { role: 'viewer', email: 'olga@faß.de' }))
    const token = tokenIn(await mailTo(world(), 'olga@xn--fa-hia.de', /Subject: Join/))
    expect(200, await kept.browser.post('/invitations/accept', { token }))
    assert.equal(expect(200, await kept.browser.get('/session')).account.confirmed, true)

    await spell(other, 'olga@faß.de')
    for (const email of ['olga@faß.de', 'olga@xn--fa-hia.de']) {
      assert.equal((await signIn(email)).email, 'olga@xn--fa-hia.de', 'of two the confirmed one')
    }
    expect(200, await other.browser.post('/account/email/confirmation'))
    const own = tokenIn(await mailTo(world(), 'olga@xn--fa-hia.de', /Subject: Confirm your address/))
    expect(200, await house.browser().post('/account/email/confirm', { token: own }))
    assert.equal(expect(200, await other.browser.get('/session')).account.confirmed, true)
  })

  test('a mail server that is away loses no invitation: its link works, and the mail comes later', async () => {
    const { house, smtp } = world()
    const { slug, owner } = await house.project()
    smtp.busy = true
    const body = { role: 'viewer', email: 'late@example.com' }
    const { id, link } = expect(201, await owner.browser.post(`/projects/${slug}/invitations`, body))
    await until('it is known that the mail could not be sent', async () => {
      await house.shop.petstore.changes.catchUp()
      return expect(200, await owner.browser.get(`/invitations/${id}/mail`)).mail === 'failing'
    })
    expect(200, await house.browser().post('/links/inspect', { token: link.split('#')[1] }))
    smtp.busy = false
    await house.travel(HOUR_MS)
    const mail = await mailTo(world(), 'late@example.com', /Subject: Join/)
    expect(200, await house.browser().post('/links/inspect', { token: tokenIn(mail) }))
  })

  test('what the mail server refuses for good is not tried again, and whoever invited sees why', async () => {
    const { house, smtp } = world()
    const { slug, owner } = await house.project()
    const email = 'nosuch@example.com'
    smtp.unknown.add(email)
    const { id, link } = expect(
      201,
      await owner.browser.post(`/projects/${slug}/invitations`, { role: 'viewer', email }),
    )
    const state = async () => expect(200, await owner.browser.get(`/invitations/${id}/mail`))
    await until('it is known to be refused', async () => {
      await house.shop.petstore.changes.catchUp()
      return (await state()).mail === 'refused'
    })
    assert.deepEqual(await state(), { mail: 'refused', mailRefusal: '550 5.1.1 No such person here' })
    const [listed] = expect(200, await owner.browser.get(`/projects/${slug}/invitations`))
    assert.deepEqual([listed.mail, listed.mailRefusal], ['refused', '550 5.1.1 No such person here'])
    const { read } = house.shop.petstore.storage
    const mail = await read.selectFrom('mails').selectAll().where('link_id', '=', id).executeTakeFirstOrThrow()
    const work = read.selectFrom('work').select('subject').where('queue', '=', 'account mail')
    assert.deepEqual(await work.where('subject', '=', String(mail.id)).execute(), [])
    expect(200, await house.browser().post('/links/inspect', { token: link.split('#')[1] }))
  })

  test('a mail that could not be sent for three days is given up, and its list says so', async () => {
    const { house, smtp } = world()
    const { slug, owner } = await house.project()
    smtp.busy = true
    const body = { role: 'viewer', email: 'away@example.com' }
    const { id } = expect(201, await owner.browser.post(`/projects/${slug}/invitations`, body))
    const state = async () => expect(200, await owner.browser.get(`/invitations/${id}/mail`))
    await until('it has been tried', async () => {
      await house.shop.petstore.changes.catchUp()
      return (await state()).mail === 'failing'
    })
    await house.travel(4 * DAY_MS, owner)
    await until('it is given up', async () => {
      await house.shop.petstore.changes.catchUp()
      return (await state()).mail === 'refused'
    })
    smtp.busy = false
    assert.match((await state()).mailRefusal, /did not take it for three days/)
  })

  test('an invitation that was withdrawn is not mailed any more, and no token stands in the database', async () => {
    const { house, smtp } = world()
    const { slug, owner } = await house.project()
    smtp.busy = true
    const body = { role: 'viewer', email: 'never@example.com' }
    const { id } = expect(201, await owner.browser.post(`/projects/${slug}/invitations`, body))
    const { read } = house.shop.petstore.storage
    const row = () => read.selectFrom('mails').selectAll().where('link_id', '=', id).executeTakeFirstOrThrow()
    const { text, sealed_link } = await row()
    assert.doesNotMatch(`${text} ${sealed_link}`, /#[\w-]{43}/)
    await until('it has been tried', async () => {
      await house.shop.petstore.changes.catchUp()
      return (await row()).failed_at !== null
    })
    expect(204, await owner.browser.delete(`/projects/${slug}/invitations/${id}`))
    smtp.busy = false
    await house.travel(HOUR_MS)
    await until('nothing is left to send', async () => {
      await house.shop.petstore.changes.catchUp()
      return (await row()).sealed_link === null
    })
    assert.deepEqual(
      smtp.mails.filter(({ to }) => to === 'never@example.com'),
      [],
    )
  })
}
