import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type SmtpServer, startSmtpServer } from '../domains/smtp-server.ts'
import { HOUR_MS } from '../../src/platform/clock.ts'
import { until } from '../harness/until.ts'
import { expect, type House, openHouse, PASSWORD } from './house.ts'
import { mailTo, tokenIn } from './mailed-world.ts'

let smtp: SmtpServer
let house: House
before(async () => {
  smtp = await startSmtpServer()
  house = await openHouse({
    environment: {
      PETSTORE_SMTP_URL: smtp.url,
      PETSTORE_MAIL_FROM: 'Petstore <news@petstore.test>',
      PETSTORE_SMTP_TLS: 'optional',
    },
  })
})
after(async () => {
  await house?.[Symbol.asyncDispose]()
  await smtp?.[Symbol.asyncDispose]()
})

/** In the newest mail that asks this address to be confirmed. */
const tokenFor = async (email: string, by: { email: string }) =>
  tokenIn(await mailTo({ house, smtp }, email, new RegExp(`signs in with ${by.email} at`)))

test('a new address counts when the link that was sent to it is opened, and the old one is told', async () => {
  const person = await house.person()
  const change = (email: string) => person.browser.post('/account/email', { email, currentPassword: PASSWORD })
  assert.equal(expect(200, await change('first@example.com')).sentTo, 'first@example.com')
  const superseded = await tokenFor('first@example.com', person)
  expect(200, await change('second@example.com'))
  const token = await tokenFor('second@example.com', person)
  assert.equal(expect(200, await person.browser.get('/session')).account.email, person.email, 'nothing yet')

  const phone = house.browser()
  expect(410, await phone.post('/account/email/confirm', { token: superseded }))
  const link = expect(200, await phone.post('/links/inspect', { token }))
  assert.deepEqual([link.kind, link.email], ['email', 'second@example.com'])
  assert.deepEqual(expect(200, await phone.post('/account/email/confirm', { token })), { email: 'second@example.com' })
  expect(410, await phone.post('/account/email/confirm', { token }))
  assert.equal(expect(200, await person.browser.get('/session')).account.email, 'second@example.com')
  await mailTo({ house, smtp }, person.email, /second@example\.com from now on/)
  expect(401, await phone.get('/sessions'))
})

test('an address that was taken meanwhile is not given twice, and a change of the password ends the link', async () => {
  const [person, other] = [await house.person(), await house.person()]
  const change = (email: string) => person.browser.post('/account/email', { email, currentPassword: PASSWORD })
  expect(409, await change(other.email))
  expect(200, await change('wanted@example.com'))
  const token = await tokenFor('wanted@example.com', person)
  const newPassword = 'battery staple horse'
  expect(200, await person.browser.post('/password', { currentPassword: PASSWORD, newPassword }))
  expect(410, await house.browser().post('/account/email/confirm', { token }))

  expect(200, await other.browser.post('/account/email', { email: 'wanted@example.com', currentPassword: PASSWORD }))
  const theirs = await tokenFor('wanted@example.com', other)
  const body = { email: 'wanted@example.com', currentPassword: newPassword }
  expect(200, await person.browser.post('/account/email', body))
  await until('the newest link has come', async () => (await tokenFor('wanted@example.com', person)) !== token)
  const mine = await tokenFor('wanted@example.com', person)
  const answers = await Promise.all(
    [mine, theirs].map((each) => house.browser().post('/account/email/confirm', { token: each })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409])
})

test('a mail server that is away holds nobody up: the link comes when it is back', async () => {
  const person = await house.person()
  smtp.busy = true
  const body = { email: 'away@example.com', currentPassword: PASSWORD }
  expect(200, await person.browser.post('/account/email', body))
  smtp.busy = false
  await house.travel(HOUR_MS)
  expect(200, await house.browser().post('/account/email/confirm', { token: await tokenFor(body.email, person) }))
})
