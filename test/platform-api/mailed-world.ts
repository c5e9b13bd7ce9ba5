import type { SmtpServer } from '../domains/smtp-server.ts'
import { until } from '../harness/until.ts'
import type { House } from './house.ts'

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

export async function allSent({ house }: MailedWorld, email: string): Promise<void> {
  await until(`everything to ${email} has been sent`, async () => {
    await house.shop.petstore.changes.catchUp()
    const unsent = house.shop.petstore.storage.read.selectFrom('mails').select('id').where('recipient', '=', email)
    return (await unsent.where('sent_at', 'is', null).execute()).length === 0
  })
}

export const tokenIn = (mail: string) => /#([\w-]{43})/.exec(mail)?.[1] ?? ''
