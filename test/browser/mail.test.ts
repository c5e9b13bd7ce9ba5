import { after, before, test } from 'node:test'
import { type SmtpServer, startSmtpServer } from '../domains/smtp-server.ts'
import { until } from '../harness/until.ts'
import { type Dashboard, openOwnersDashboard } from './dashboard.ts'
import { shows } from './steps.ts'

let smtp: SmtpServer
let dashboard: Dashboard
before(async () => {
  smtp = await startSmtpServer()
  dashboard = await openOwnersDashboard({
    PETSTORE_SMTP_URL: smtp.url,
    PETSTORE_MAIL_FROM: 'Petstore <news@petstore.test>',
    PETSTORE_SMTP_TLS: 'optional',
    PETSTORE_SIGNUP: 'open',
  })
})
after(async () => {
  await dashboard?.[Symbol.asyncDispose]()
  await smtp?.[Symbol.asyncDispose]()
})

/** The link in the newest mail about something; a line that is too long for a mail is broken after an equals sign. */
async function linkFor(email: string, subject: string): Promise<string> {
  const find = () => smtp.mails.findLast(({ to, text }) => to === email && text.includes(`Subject: ${subject}`))
  await until(`a mail to ${email}: ${subject}`, () => find() !== undefined)
  return /http\S+#\S+/.exec(find()?.text.replaceAll(/=\r?\n/g, '') ?? '')?.[0] ?? ''
}

test('somebody signs up, confirms the address by mail, forgets the password and chooses another', async () => {
  await using visit = await dashboard.visit({ signedOut: true })
  const { page } = visit
  const email = 'grace@example.com'
  await page.goto(`${dashboard.origin}/sign-up`)
  await page.getByLabel('Your name').fill('Grace Example')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('a much longer one')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText(`A link is on its way to ${email}`).waitFor()
  await page.getByRole('button', { name: 'Send it again' }).click()
  await page.getByText(`Another link is on its way to ${email}.`).waitFor()
  await page.goto(`${dashboard.origin}/projects`)
  await page.getByRole('heading', { name: 'Confirm your address' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('a much longer one')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Confirm your address' }).waitFor()

  await page.goto(await linkFor(email, 'Confirm your address'))
  await page.getByRole('button', { name: 'This address is mine' }).click()
  await page.locator('#main').waitFor()

  await using other = await dashboard.visit({ signedOut: true })
  await other.page.goto(`${dashboard.origin}/forgot`)
  await other.page.getByLabel('E-mail address').fill(email)
  await other.page.getByRole('button', { name: 'Send me a link' }).click()
  await other.page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
  await other.page.goto(await linkFor(email, 'Choose a new password'))
  await other.page.getByLabel('Password', { exact: true }).fill('quite another password')
  await other.page.getByRole('button', { name: 'Set password and sign in' }).click()
  await other.page.locator('#main').waitFor()
  visit.assertQuiet()
  other.assertQuiet()
})

test('the page of an invitation says that it was mailed, or that it could not be', async () => {
  await using visit = await dashboard.visit()
  const { page } = visit
  await page.goto(`${dashboard.origin}/projects/petstore/settings/members`)
  const invite = async (email: string) => {
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('dialog').getByLabel('E-mail address').fill(email)
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('dialog').locator('.minted code').waitFor()
  }
  await invite('linus@example.com')
  await page.getByText('The invitation has been mailed to linus@example.com.').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  smtp.busy = true
  await invite('late@example.com')
  await page.getByText('The mail to late@example.com could not be sent').waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  smtp.busy = false
  await page.reload()
  const open = page.getByRole('region', { name: 'Open invitations' })
  await shows(open, /linus@example\.com.*sent.*late@example\.com.*could not be sent yet/)
  visit.assertQuiet()
})
