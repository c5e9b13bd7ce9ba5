import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, stepAt } from '../../src/features/accounts/second-factors/one-time-code.ts'
import { HOUR_MS } from '../../src/platform/clock.ts'
import type { SmtpServer } from '../domains/smtp-server.ts'
import { until } from '../harness/until.ts'
import { expect, type House, PASSWORD } from './house.ts'
import { bytesOf } from './second-factors.suite.ts'

export interface MailedWorld {
  house: House
  smtp: SmtpServer
}

/** The newest mail to an address whose text matches, once it has come; lines that were broken are whole again. */
export async function mailTo({ house, smtp }: MailedWorld, email: string, matching: RegExp): Promise<string> {
  const find = () =>
    smtp.mails
      .filter(({ to }) => to === email)
      .map(({ text }) => text.replaceAll(/=\r?\n/g, ''))
      .findLast((text) => matching.test(text))
  await until(`a mail to ${email} that matches ${matching}`, async () => {
    await house.shop.petstore.changes.catchUp()
    return find() !== undefined
  })
  return find() as string
}

export const tokenIn = (mail: string) => /#([\w-]{43})/.exec(mail)?.[1] ?? ''

/** What leaves by mail, with the mail server of the tests. */
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

  test('a person is told of a sign-in on a device that the account does not know, and of no other', async () => {
    const { house, smtp } = world()
    const { email, browser } = await house.person()
    const known = { email, password: PASSWORD }
    expect(200, await browser.post('/sign-in', known))
    expect(200, await house.browser().post('/sign-in', known))
    const mail = await mailTo(world(), email, /Subject: New sign-in/)
    assert.match(mail, /127\.0\.0\.1.*Test browser.*change your password/s)
    assert.equal(smtp.mails.filter(({ to }) => to === email).length, 1)
  })

  test('a person is told of a new password, new and removed factors, and a used recovery code', async () => {
    const { house } = world()
    const { email, browser } = await house.person()
    const own = { currentPassword: PASSWORD }
    const { ticket, secret } = expect(200, await browser.post('/account/second-factors/codes', own))
    const code = codeAt(bytesOf(secret), stepAt(house.clock.now()))
    const confirm = { ticket, code, name: 'Phone' }
    const { factor, recoveryCodes } = expect(201, await browser.post('/account/second-factors/codes/confirm', confirm))
    await mailTo(world(), email, /Subject: One-time codes were added/)

    const other = house.browser()
    const { secondStep } = expect(200, await other.post('/sign-in', { email, password: PASSWORD }))
    expect(200, await other.post('/sign-in/second-step', { ticket: secondStep.ticket, code: recoveryCodes[0] }))
    await mailTo(world(), email, /Subject: A recovery code was used/)

    expect(200, await browser.post('/account/recovery-codes', own))
    await mailTo(world(), email, /Subject: New recovery codes were made/)
    expect(204, await browser.post(`/account/second-factors/${factor.id}/remove`, own))
    await mailTo(world(), email, /Subject: A passkey or app was removed/)
    expect(200, await browser.post('/password', { ...own, newPassword: 'another horse, another battery' }))
    assert.match(await mailTo(world(), email, /Subject: Your password has been changed/), /If it was not you/)
  })

  test('a member is told of a new role and of being removed, and not more often than anybody reads', async () => {
    const { house, smtp } = world()
    const { slug, owner } = await house.project()
    const { email } = await house.member(owner, slug, 'viewer')
    const members = expect(200, await owner.browser.get(`/projects/${slug}/members`))
    const { id } = members.find((member: { email: string }) => member.email === email)
    const member = `/projects/${slug}/members/${id}`
    for (let round = 0; round < 6; round++) {
      expect(204, await owner.browser.patch(member, { role: 'editor' }))
      expect(204, await owner.browser.patch(member, { role: 'viewer' }))
    }
    await mailTo(world(), email, /You are editor of the project .*you were viewer/s)
    expect(204, await owner.browser.delete(member))
    await mailTo(world(), email, /You are no longer a member of the project/)
    await until('everything has been sent', async () => {
      await house.shop.petstore.changes.catchUp()
      const unsent = house.shop.petstore.storage.read.selectFrom('mails').select('id').where('recipient', '=', email)
      return (await unsent.where('sent_at', 'is', null).execute()).length === 0
    })
    assert.equal(smtp.mails.filter(({ to }) => to === email).length, 11)
  })

  test('a forgotten password: the same answer for everybody, a link for those who have an account', async () => {
    const { house, smtp } = world()
    const { email, browser } = await house.person()
    const stranger = house.browser('127.0.7.1')
    const forgot = (address: string) => stranger.post('/password/forgot', { email: address })
    const [known, unknown] = [await forgot(email), await forgot('nobody@example.com')]
    assert.deepEqual([known.status, known.text], [unknown.status, unknown.text])
    expect(204, known)
    const token = tokenIn(await mailTo(world(), email, /Subject: Choose a new password/))
    await until('the work is done', async () => {
      const { read } = house.shop.petstore.storage
      return (
        (await read.selectFrom('work').select('subject').where('queue', '=', 'forgotten passwords').execute())
          .length === 0
      )
    })
    assert.deepEqual(
      smtp.mails.filter(({ to }) => to === 'nobody@example.com'),
      [],
    )

    expect(200, await browser.get('/projects'))
    const reset = { token, password: 'a horse that is remembered' }
    assert.equal(expect(200, await stranger.post('/password/reset', reset)).account.email, email)
    expect(401, await browser.get('/projects'))
    expect(410, await stranger.post('/password/reset', reset))
  })

  test('strangers who ask for links get no more than three mails sent to an address, and refusals soon', async () => {
    const { house, smtp } = world()
    const { email } = await house.person()
    const stranger = house.browser('127.0.8.1')
    const statuses: number[] = []
    // One after the other: what is asked for while the same is being done becomes one.
    for (let round = 1; round <= 11; round++) {
      statuses.push((await stranger.post('/password/forgot', { email })).status)
      await until('it has been dealt with', async () => {
        await house.shop.petstore.changes.catchUp()
        return smtp.mails.filter(({ to }) => to === email).length === Math.min(round, 3)
      })
    }
    assert.deepEqual(statuses, [...Array<number>(10).fill(204), 429])
  })

  test('a mailed link to reset the password opens no account that has a second factor', async () => {
    const { house } = world()
    const { email, browser } = await house.person()
    const begun = expect(200, await browser.post('/account/second-factors/codes', { currentPassword: PASSWORD }))
    const code = (steps: number) => codeAt(bytesOf(begun.secret), stepAt(house.clock.now()) + steps)
    const confirm = { ticket: begun.ticket, code: code(0), name: 'Phone' }
    expect(201, await browser.post('/account/second-factors/codes/confirm', confirm))
    const thief = house.browser('127.0.9.1')
    expect(204, await thief.post('/password/forgot', { email }))
    const token = tokenIn(await mailTo(world(), email, /Subject: Choose a new password/))
    const answer = expect(200, await thief.post('/password/reset', { token, password: 'a horse of the thief' }))
    assert.equal(answer.account, null)
    expect(401, await thief.get('/projects'))
    expect(401, await thief.post('/sign-in/second-step', { ticket: answer.secondStep.ticket, code: '000000' }))
    expect(200, await thief.post('/sign-in/second-step', { ticket: answer.secondStep.ticket, code: code(1) }))
  })

  test('an account without an invitation can do nothing before its address is confirmed', async () => {
    const { house, smtp } = world()
    const email = 'open@example.com'
    const browser = house.browser('127.0.10.1')
    const { account } = expect(201, await browser.post('/sign-up', { email, name: 'Open', password: PASSWORD }))
    assert.deepEqual([account.confirmed, account.mustConfirm], [false, true])
    const token = tokenIn(await mailTo(world(), email, /Subject: Confirm your address/))

    const open = new Set(['signOut', 'changeAddress', 'askForConfirmation'])
    for (const { id, method, path, role } of house.shop.petstore.dashboardRoutes) {
      if (role === 'public' || open.has(id)) continue
      const answer = await browser.send(path.replaceAll(/\{\w+\}/g, 'x'), method === 'GET' ? {} : { method, body: {} })
      assert.match(expect(403, answer).message, /Confirm your address first/, `${method} ${path}`)
    }
    assert.equal(expect(200, await browser.post('/account/email/confirmation')).sentTo, email)
    await until('a second link has come', async () => {
      await house.shop.petstore.changes.catchUp()
      return smtp.mails.filter(({ to }) => to === email).length === 2
    })
    expect(200, await house.browser().post('/account/email/confirm', { token }))
    expect(200, await browser.get('/projects'))
    const { account: now } = expect(200, await browser.get('/session'))
    assert.deepEqual([now.confirmed, now.mustConfirm], [true, false])
    expect(409, await browser.post('/account/email/confirmation'))
  })

  test('an address that was mistyped at sign-up is changed before it is confirmed, and is told nothing', async () => {
    const { house, smtp } = world()
    const browser = house.browser('127.0.11.1')
    expect(201, await browser.post('/sign-up', { email: 'typo@example.com', name: 'Typo', password: PASSWORD }))
    await mailTo(world(), 'typo@example.com', /Subject: Confirm your address/)
    const change = { email: 'right@example.com', currentPassword: PASSWORD }
    expect(200, await browser.post('/account/email', change))
    const token = tokenIn(await mailTo(world(), change.email, /Subject: Confirm your new address/))
    expect(200, await browser.post('/account/email/confirm', { token }))
    expect(200, await browser.get('/projects'))
    expect(200, await house.browser().post('/sign-in', { email: change.email, password: PASSWORD }))
    await mailTo(world(), change.email, /Subject: New sign-in/)
    assert.equal(smtp.mails.filter(({ to }) => to === 'typo@example.com').length, 1)
  })

  test('whoever registers an address first keeps it from nobody: its owner takes it over by mail', async () => {
    const { house } = world()
    const email = 'squatted@example.com'
    const [squatter, owner] = [house.browser('127.0.12.1'), house.browser('127.0.13.1')]
    expect(201, await squatter.post('/sign-up', { email, name: 'Squatter', password: PASSWORD }))
    expect(204, await owner.post('/password/forgot', { email }))
    const token = tokenIn(await mailTo(world(), email, /Subject: Choose a new password/))
    const { account } = expect(200, await owner.post('/password/reset', { token, password: 'only the owner knows' }))
    assert.deepEqual([account.confirmed, account.mustConfirm], [true, false])
    expect(401, await squatter.post('/account/email/confirmation'))
    expect(200, await owner.get('/projects'))
  })

  test('an invitation confirms the address that it was mailed to, and the copied link confirms nothing', async () => {
    const { house } = world()
    const { slug, owner } = await house.project()
    const join = async (email: string, pick: (link: string) => string | Promise<string>) => {
      const invitation = { role: 'viewer', email }
      const { link } = expect(201, await owner.browser.post(`/projects/${slug}/invitations`, invitation))
      const body = { token: await pick(link), email, name: 'Guest', password: PASSWORD }
      return expect(201, await house.browser().post('/sign-up', body)).account
    }
    const copied = await join('copied@example.com', (link) => link.split('#')[1] as string)
    assert.deepEqual([copied.confirmed, copied.mustConfirm], [false, false])
    const mailed = await join('mailed@example.com', async () =>
      tokenIn(await mailTo(world(), 'mailed@example.com', /Subject: Join/)),
    )
    assert.deepEqual([mailed.confirmed, mailed.mustConfirm], [true, false])
  })
}
