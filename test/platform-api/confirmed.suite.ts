import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, stepAt } from '../../src/features/accounts/second-factors/one-time-code.ts'
import { DAY_MS, HOUR_MS } from '../../src/platform/clock.ts'
import { addMember } from '../../src/features/accounts/members.ts'
import { sweepUnconfirmed } from '../../src/features/accounts/unconfirmed.ts'
import { storageOf } from '../../src/features/audit/audited.ts'
import { COMMAND } from '../../src/features/audit/record.ts'
import { findProject } from '../../src/features/projects/projects.ts'
import { until } from '../harness/until.ts'
import { expect, PASSWORD } from './house.ts'
import { bytesOf } from './second-factors.suite.ts'

import { mailTo, type MailedWorld, tokenIn } from './mailed-world.ts'

/** Addresses that are confirmed by mail, and passwords that are set through it. */
export function confirmationGuarantees(world: () => MailedWorld): void {
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

  test('an account whose address nobody confirms is gone after a week, unless it is a member somewhere', async () => {
    const { house } = world()
    const { slug, owner } = await house.project()
    const browser = house.browser('127.0.14.1')
    const signUp = (email: string) => browser.post('/sign-up', { email, name: 'Nobody', password: PASSWORD })
    for (const email of ['idle@example.com', 'added@example.com', 'real@example.com']) expect(201, await signUp(email))
    const token = tokenIn(await mailTo(world(), 'real@example.com', /Subject: Confirm your address/))
    expect(200, await browser.post('/account/email/confirm', { token }))
    const { storage } = house.shop.petstore
    const asCommand = { storage: storageOf(storage, COMMAND, house.clock), clock: house.clock }
    const { id: projectId } = await findProject(asCommand, slug)
    await addMember(asCommand, { projectId, email: 'added@example.com', role: 'viewer' })
    const left = async () => {
      const mine = storage.read.selectFrom('accounts').select('email').where('name', '=', 'Nobody').orderBy('email')
      return (await mine.execute()).map(({ email }) => email)
    }
    await house.travel(6 * DAY_MS, owner)
    await sweepUnconfirmed(asCommand.storage, house.clock.now())
    assert.equal((await left()).length, 3)
    await house.travel(DAY_MS + HOUR_MS, owner)
    // A sweep that was still under way when the time passed comes again an hour later.
    await until('an hourly sweep has taken it', async () => {
      if ((await left()).length === 2) return true
      house.clock.advance(HOUR_MS)
      return false
    })
    await house.travel(0, owner)
    assert.deepEqual(await left(), ['added@example.com', 'real@example.com'])
    expect(201, await signUp('idle@example.com'))
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
