import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeAt, stepAt } from '../../src/features/accounts/second-factors/one-time-code.ts'
import { expect, PASSWORD } from './house.ts'
import { bytesOf } from './second-factors.suite.ts'

import { allSent, mailTo, type MailedWorld } from './mailed-world.ts'

/** What people are told by mail of their own account. */
export function noticeGuarantees(world: () => MailedWorld): void {
  test('a person is told of a sign-in on a device that the account does not know, and of no other', async () => {
    const { house, smtp } = world()
    const { email, browser } = await house.person()
    const known = { email, password: PASSWORD }
    expect(200, await browser.post('/sign-in', known))
    expect(200, await house.browser().post('/sign-in', known))
    const mail = await mailTo(world(), email, /Subject: New sign-in/)
    assert.match(mail, /127\.0\.0\.1.*Test browser.*change your password/s)
    // Somebody else uses the same computer, and it is still known to the first.
    const other = await house.person()
    expect(200, await browser.post('/sign-in', { email: other.email, password: PASSWORD }))
    await mailTo(world(), other.email, /Subject: New sign-in/)
    expect(200, await browser.post('/sign-in', known))
    expect(200, await browser.post('/sign-in', { email: other.email, password: PASSWORD }))
    await allSent(world(), email)
    await allSent(world(), other.email)
    for (const each of [email, other.email]) assert.equal(smtp.mails.filter(({ to }) => to === each).length, 1)
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
    await allSent(world(), email)
    assert.equal(smtp.mails.filter(({ to }) => to === email).length, 11)
  })

  test('every member is told that their project has been deleted, and their own history says by whom', async () => {
    const { house } = world()
    const { slug, owner } = await house.project()
    const members = [owner, await house.member(owner, slug, 'viewer')]
    expect(200, await owner.browser.patch(`/projects/${slug}`, { name: 'Rex & Co' }))
    expect(204, await owner.browser.delete(`/projects/${slug}`, { confirm: slug }))
    for (const { email, browser } of members) {
      assert.match(await mailTo(world(), email, /Subject: A project has been deleted/), /Rex & Co has been deleted/)
      const [entry] = expect(200, await browser.get('/account/audit?about=project'))
      assert.deepEqual(
        [entry.verb, entry.subject, entry.details, entry.actor.name],
        ['project.delete', slug, { name: 'Rex & Co' }, owner.email],
      )
    }
  })
}
