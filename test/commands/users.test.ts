import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type SmtpServer, startSmtpServer } from '../domains/smtp-server.ts'
import { startFaultyProxy } from '../harness/faulty-proxy.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { until } from '../harness/until.ts'
import { rowsOf, runCommand, runJson, temporaryDirectory } from './command.ts'

interface Account {
  id: string
  email: string
  operator: boolean
  mailed: boolean
  link?: string
}

const PASSWORD = 'correct horse battery'

let service: TestPetstore
let home: ReturnType<typeof temporaryDirectory>
let environment: Record<string, string>
let smtp: SmtpServer
/** For the commands that are told of the mail server, too. */
let mailing: Record<string, string>
before(async () => {
  smtp = await startSmtpServer()
  const mail = {
    PETSTORE_SMTP_URL: smtp.url,
    PETSTORE_MAIL_FROM: 'Petstore <news@petstore.test>',
    PETSTORE_SMTP_TLS: 'optional',
  }
  service = await startTestPetstore({ environment: mail })
  home = temporaryDirectory()
  const { dataDirectory, baseUrl } = service.config
  environment = { HOME: home.path, PETSTORE_DATA: dataDirectory, PETSTORE_BASE_URL: baseUrl.href }
  mailing = { ...environment, ...mail }
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await smtp?.[Symbol.asyncDispose]()
  home?.[Symbol.dispose]()
})

const login = (email: string, password: string) =>
  runCommand(['login', '--email', email, '--password-stdin'], { environment, input: `${password}\n` })

test('an account made with a password can sign in at once, and leaves no session behind', async () => {
  const made = await runCommand(
    ['users', 'create', 'ada@example.com', '--project', 'petstore', '--password-stdin', '--json'],
    { environment, input: `${PASSWORD}\n` },
  )
  assert.equal(made.code, 0, made.stderr)
  const account = JSON.parse(made.stdout) as Account
  assert.deepEqual([account.email, account.operator, account.link], ['ada@example.com', false, undefined])
  assert.deepEqual(rowsOf(service.config.dataDirectory, 'select id from sessions'), [])
  const signedIn = await login('ada@example.com', PASSWORD)
  assert.equal(signedIn.code, 0, signedIn.stderr)
  const nothing = await login('ada@example.com', '')
  assert.deepEqual([nothing.code, nothing.stderr.startsWith('The first line of standard input is empty')], [1, true])
})

test('without a password there is a link on which the person chooses one', async () => {
  const { link = '' } = await runJson<Account>(['users', 'create', 'grace@example.com', '--operator'], { environment })
  const { origin } = service.config.baseUrl
  assert.ok(link.startsWith(`${origin}/password#`), link)
  const answer = await fetch(`${origin}/platform/v1/password/reset`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: link.split('#')[1], password: PASSWORD }),
  })
  assert.equal(answer.status, 200, await answer.text())

  const accounts = await runJson<Account[]>(['users', 'list'], { environment })
  assert.deepEqual(
    accounts.map(({ email, operator }) => [email, operator]),
    [
      ['ada@example.com', false],
      ['grace@example.com', true],
    ],
  )
})

test('somebody who has an account is added to a project, once', async () => {
  const add = ['users', 'add', 'grace@example.com', '--project', 'petstore', '--role', 'editor']
  const member = await runJson<Account & { role: string; project: string }>(add, { environment })
  assert.deepEqual([member.email, member.role, member.project], ['grace@example.com', 'editor', 'petstore'])
  const again = await runCommand(add, { environment })
  assert.equal(again.code, 1)
  assert.match(again.stderr, /grace@example\.com is editor of this project already/)
})

test('a new password takes the place of the old one', async () => {
  const other = 'battery staple horse'
  const changed = await runCommand(['users', 'reset-password', 'ada@example.com', '--password-stdin'], {
    environment,
    input: other,
  })
  assert.equal(changed.code, 0, changed.stderr)
  assert.equal((await login('ada@example.com', PASSWORD)).code, 1)
  assert.equal((await login('ada@example.com', other)).code, 0)
})

/** The newest mail to an address, once there are so many. */
async function mailsTo(email: string, count: number): Promise<string[]> {
  const find = () => smtp.mails.filter(({ to }) => to === email).map(({ text }) => text.replaceAll(/=\r?\n/g, ''))
  await until(`${count} mails to ${email}`, () => find().length >= count)
  return find()
}

test('where there is mail, links go by mail and are not printed, and the command says so', async () => {
  const email = 'linus@example.com'
  const made = await runCommand(['users', 'create', email], { environment: mailing })
  assert.equal(made.code, 0, made.stderr)
  assert.match(made.stdout, /^Created the account linus@example\.com\. The service mails a link to linus@example\.com/)
  assert.doesNotMatch(made.stdout, /#/)
  const [first = ''] = await mailsTo(email, 1)
  assert.match(first, /Subject: Choose your password/)
  const before = { ...mailing, PETSTORE_BASE_URL: 'http://old.example/v1' }
  const { mailed, link } = await runJson<Account>(['users', 'reset-password', email], { environment: before })
  assert.deepEqual([mailed, link], [true, undefined])
  const [, second = ''] = await mailsTo(email, 2)
  const { origin } = service.config.baseUrl
  assert.equal(/\S+(?=#)/.exec(second)?.[0], `${origin}/password`, 'the link leads to where the service is by now')
  const reset = (text: string) =>
    fetch(`${origin}/platform/v1/password/reset`, {
      method: 'POST',
      headers: { Origin: origin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: /#([\w-]{43})/.exec(text)?.[1], password: PASSWORD }),
    })
  assert.equal((await reset(first)).status, 410)
  const answer = await reset(second)
  assert.equal(((await answer.json()) as { account: { confirmed: boolean } }).account.confirmed, true)

  const printed = await runJson<Account>(['users', 'reset-password', email, '--print-link'], { environment: mailing })
  assert.equal(printed.mailed, false)
  assert.match(printed.link ?? '', /\/password#/)
})

test('a computer that has signed in once is known, also after logout: only the first login is news', async () => {
  const email = 'linus@example.com'
  const news = async () => (await mailsTo(email, 0)).filter((text) => text.includes('Subject: New sign-in')).length
  assert.equal((await login(email, PASSWORD)).code, 0)
  await until('the first is news', async () => (await news()) === 1)
  assert.equal((await login(email, PASSWORD)).code, 0)
  assert.equal((await runCommand(['logout'], { environment })).code, 0)
  assert.match((await runCommand(['logout'], { environment })).stderr, /Nobody is signed in/)
  assert.equal((await login(email, PASSWORD)).code, 0)
  const unsent = 'select id from mails where sent_at is null and refusal is null'
  await until('nothing waits', () => rowsOf(service.config.dataDirectory, unsent).length === 0)
  assert.equal(await news(), 1)
})

test('logout ends the kept session, whatever token there is, and forgets it only when it has ended', async () => {
  const email = 'linus@example.com'
  const sessions = () =>
    rowsOf(
      service.config.dataDirectory,
      `select 1 from sessions join accounts a on a.id = account_id and email = '${email}'`,
    )
  assert.equal((await login(email, PASSWORD)).code, 0)
  const others = sessions().length - 1
  const withToken = await runCommand(['logout'], { environment: { ...environment, PETSTORE_TOKEN: 'ps_pat_1' } })
  assert.deepEqual([withToken.code, withToken.stderr, sessions().length], [0, '', others])

  await using proxy = await startFaultyProxy(service, ['pass', 'cut'])
  const through = { ...environment, PETSTORE_SERVER: proxy.origin }
  const words = ['login', '--email', email, '--password-stdin']
  assert.equal((await runCommand(words, { environment: through, input: `${PASSWORD}\n` })).code, 0)
  const cut = await runCommand(['logout'], { environment: through })
  assert.equal(cut.code, 1)
  assert.match(cut.stderr, /was lost .*\nYour session at http:\S+ may still be open: run petstore logout again/)
  // It had ended, which the second one learns.
  const again = await runCommand(['logout'], { environment: through })
  assert.deepEqual([again.code, again.stderr, sessions().length], [0, '', others])
  assert.match((await runCommand(['logout'], { environment: through })).stderr, /Nobody is signed in/)
})

test('the session at a server that is gone is forgotten on request, and it is said that it may live on', async () => {
  const email = 'linus@example.com'
  const proxy = await startFaultyProxy(service, ['pass'])
  const through = { ...environment, PETSTORE_SERVER: proxy.origin }
  const words = ['login', '--email', email, '--password-stdin']
  assert.equal((await runCommand(words, { environment: through, input: `${PASSWORD}\n` })).code, 0)
  await proxy[Symbol.asyncDispose]()
  const refused = await runCommand(['logout'], { environment: through })
  assert.deepEqual([refused.code, /gone for good\? .*petstore logout --forget/.test(refused.stderr)], [1, true])
  const { code, stdout } = await runCommand(['logout', '--forget'], { environment: through })
  assert.equal(code, 0)
  assert.match(stdout, /Forgot your session at http:\S+ on this computer\. It may still be open there/)
  assert.match((await runCommand(['logout'], { environment: through })).stderr, /Nobody is signed in/)
})

test('what cannot be done is said, and nothing is half done', async () => {
  const fails = async (args: string[], code: number, says: RegExp, input = '') => {
    const ended = await runCommand(['users', ...args], { environment, input })
    assert.equal(ended.code, code, ended.stderr)
    assert.match(ended.stderr, says)
  }
  await fails(['create', 'ada@example.com'], 1, /an account with the address ada@example\.com already/)
  await fails(['create', 'eve@example.com', '--password-stdin'], 1, /must be 12 to 256 characters/, 'short')
  await fails(['create', 'eve@example.com', '--project', 'nowhere'], 1, /no project "nowhere"/)
  await fails(['create', 'eve@example.com', '--role', 'owner'], 2, /--role needs --project/)
  await fails(['add', 'eve@example.com', '--project', 'petstore'], 1, /no account with the address eve@example\.com/)
  await fails(['reset-password', 'eve@example.com'], 1, /no account with the address eve@example\.com/)
  assert.equal((await runJson<Account[]>(['users', 'list'], { environment })).length, 3)
})
