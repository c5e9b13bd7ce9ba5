import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '../../src/features/accounts/role.ts'
import { listNotifications, markNotificationsRead } from '../../src/features/domains/notifications/notifications.ts'
import { MINUTE_MS } from '../../src/platform/clock.ts'
import { createMailer, type SmtpSettings } from '../../src/platform/mail.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { readConfig } from '../../src/config.ts'
import { startSmtpServer } from './smtp-server.ts'
import { type DomainWorld, makeLive, openDomainWorld } from './world.ts'

test('owners and editors get news once by mail, whoever of them is refused or put off, also late', async () => {
  await using smtp = await startSmtpServer()
  smtp.unknown.add('bea@example.com')
  smtp.full.add('abe@example.com')
  await using world = await openDomainWorld({
    environment: {
      PETSTORE_SMTP_URL: smtp.url,
      PETSTORE_MAIL_FROM: 'Petstore <news@petstore.test>',
      PETSTORE_SMTP_TLS: 'optional',
    },
  })
  const actor = await world.project()
  const people = {
    'abe@example.com': 'owner',
    'ada@example.com': 'owner',
    'bea@example.com': 'owner',
    'ben@example.com': 'editor',
    'cy@example.com': 'viewer',
  } as const
  await join(world, actor.projectId, people)
  await makeLive(world, actor, 'www.example.test')
  assert.deepEqual(smtp.mails.map(({ to }) => to).toSorted(), [
    'ada@example.com',
    'ada@example.com',
    'ben@example.com',
    'ben@example.com',
  ])
  const verified = smtp.mails.find(({ text }) => text.includes('Subject: www.example.test is verified'))
  assert.equal(verified?.from, 'news@petstore.test')
  assert.match(verified?.text ?? '', /Message-ID: <notification-\d+\.\d+@localhost>/)
  // A line that is too long for a mail is broken after an equals sign.
  assert.match(verified?.text.replaceAll('=\n', '') ?? '', /http:\/\/localhost:4000\/.*projects\/shop-.*\/domains/)

  smtp.busy = true
  await makeLive(world, actor, 'shop.example.test')
  assert.equal(smtp.mails.length, 4)
  smtp.busy = false
  await world.pass(3 * MINUTE_MS, MINUTE_MS)
  assert.equal(smtp.mails.length, 8)
  await world.pass(60 * MINUTE_MS, 20 * MINUTE_MS)
  assert.equal(smtp.mails.length, 8, 'nothing is sent twice')
  smtp.full.clear()
  await world.pass(60 * MINUTE_MS, 20 * MINUTE_MS)
  assert.deepEqual(
    smtp.mails.slice(8).map(({ to }) => to),
    Array(4).fill('abe@example.com'),
  )
})

test('without a mail server the list of the dashboard has the news, until they are read', async () => {
  await using world = await openDomainWorld()
  const actor = await world.project()
  await makeLive(world, actor, 'www.example.test')
  const { unread, notifications } = await listNotifications(world.verbs, actor.projectId)
  assert.equal(unread, 2)
  const upTo = notifications[0]?.id as number
  await world.verbs.storage.write(markNotificationsRead, { projectId: actor.projectId, upTo, now: world.clock.now() })
  assert.equal((await listNotifications(world.verbs, actor.projectId)).unread, 0)
  const stranger = await world.project()
  assert.deepEqual((await listNotifications(world.verbs, stranger.projectId)).notifications, [])
  assert.deepEqual((await listNotifications(world.verbs, actor.projectId, { before: upTo })).notifications.length, 1)
})

test('mail settings that cannot work are refused at the start', () => {
  assert.throws(() => readConfig({ PETSTORE_SMTP_URL: 'mail.example.com' }), /PETSTORE_SMTP_URL must be/)
  assert.throws(() => readConfig({ PETSTORE_SMTP_URL: 'smtp://mail.example.com' }), /PETSTORE_MAIL_FROM must be/)
  const refused = /PETSTORE_SMTP_URL must be .* In a password .* are written %2F/
  for (const place of ['user:a%ss@mail', 'user:12#x@mail', 'user:12?x@mail', 'user:a/b@mail', 'mail:0']) {
    const settings = { PETSTORE_SMTP_URL: `smtp://${place}`, PETSTORE_MAIL_FROM: 'a@b.example' }
    assert.throws(() => readConfig(settings), refused, place)
  }
  assert.throws(() => readConfig({ PETSTORE_MAIL_FROM: 'a@b.example' }), /so PETSTORE_SMTP_URL must be set too/)
  const url = 'smtps://user:password@mail.example.com'
  const read = (from: string) => readConfig({ PETSTORE_SMTP_URL: url, PETSTORE_MAIL_FROM: from })
  assert.throws(() => read('petstore@example.com\r\nBcc: everybody@example.com'), /PETSTORE_MAIL_FROM must be/)
  assert.deepEqual(read('Pets <a@b.example>').smtp, { url, from: 'Pets <a@b.example>', tls: 'required' })
})

test('a mail server that offers no TLS is given nothing, unless the operator has said so', async () => {
  await using smtp = await startSmtpServer()
  const mail = { to: 'ada@example.com', subject: 'News', text: 'Hello', messageId: '<1@petstore.test>' }
  const { smtp: settings } = readConfig({ PETSTORE_SMTP_URL: smtp.url, PETSTORE_MAIL_FROM: 'news@petstore.test' })
  using strict = createMailer(settings as SmtpSettings)
  await assert.rejects(strict(mail), { code: 'ETLS' })
  assert.deepEqual(smtp.mails, [])
  using lenient = createMailer({ ...(settings as SmtpSettings), tls: 'optional' })
  await lenient(mail)
  assert.equal(smtp.mails.length, 1)
  using atIpv6 = createMailer({
    from: 'a@b.example',
    tls: 'optional',
    url: smtp.url.replace('127.0.0.1', '[::ffff:7f00:1]'),
  })
  await atIpv6(mail)
  assert.equal(smtp.mails.length, 2)
})

test('a recipient is one address, and never read as a list or a name beside another', async () => {
  await using smtp = await startSmtpServer()
  using send = createMailer({ url: smtp.url, from: 'news@petstore.test', tls: 'optional' })
  for (const to of ['ada@example.com', 'x,ada@example.com', '(1)ada@example.com']) {
    await send({ to, subject: 'News', text: 'Hello', messageId: '<1@petstore.test>' })
  }
  const received = smtp.mails.map((mail) => mail.to)
  assert.deepEqual(received, ['ada@example.com', '"x,ada"@example.com', '"(1)ada"@example.com'])
})

test('no name turns around the words beside it in a mail', async () => {
  await using smtp = await startSmtpServer()
  using send = createMailer({ url: smtp.url, from: 'news@petstore.test', tls: 'optional' })
  const text = 'Eve invites you to \u202emoc.knab\u2066, at pets.example.'
  await send({ to: 'ada@example.com', subject: 'Join \u202eelpmaxe', text, messageId: '<1@petstore.test>' })
  assert.match(
    smtp.mails[0]?.text ?? '',
    /^Subject: Join elpmaxe\r?$[^]*^Eve invites you to moc\.knab, at pets\.example\.\r?$/m,
  )
})

const insertMember = defineWrite(
  'test.insertMember',
  async (db, { projectId, email, role }: { projectId: number; email: string; role: Role }) => {
    const id = `acc_${email}`
    const account = {
      id,
      email,
      name: email,
      password_hash: null,
      password_changed_at: 0,
      operator: 0,
      created_at: 0,
      must_confirm: 0,
    }
    await db.insertInto('accounts').values(account).execute()
    await db.insertInto('members').values({ project_id: projectId, account_id: id, role, joined_at: 0 }).execute()
  },
)

async function join(world: DomainWorld, projectId: number, people: Record<string, Role>) {
  for (const [email, role] of Object.entries(people)) {
    await world.storage.write(insertMember, { projectId, email, role })
  }
}
