import type { SmtpSettings } from '../platform/mail.ts'
import { ConfigError } from './config-error.ts'
import { type Environment, readChoice } from './environment.ts'

export function readSmtp(environment: Environment): SmtpSettings | undefined {
  const { PETSTORE_SMTP_URL: url, PETSTORE_MAIL_FROM: from, PETSTORE_SMTP_TLS: tls = 'required' } = environment
  if (!url) return undefined
  if (!/^smtps?:\/\/[^/]+\/?$/.test(url) || !URL.canParse(url)) {
    throw new ConfigError(
      'PETSTORE_SMTP_URL must be the address of a mail server, such as smtp://user:password@mail.example.com:587.',
    )
  }
  if (!from || !/^[^\r\n]*[^\s@]+@[^\s@]+$|^[^\r\n]*<[^\s@]+@[^\s@]+>$/.test(from)) {
    throw new ConfigError(
      'PETSTORE_MAIL_FROM must be the sender of mails beside PETSTORE_SMTP_URL, such as petstore@example.com.',
    )
  }
  return { url, from, tls: readChoice('PETSTORE_SMTP_TLS', tls, ['required', 'optional']) }
}
