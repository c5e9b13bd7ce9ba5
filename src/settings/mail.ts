import type { SmtpSettings } from '../platform/mail.ts'
import { ConfigError } from './config-error.ts'
import { type Environment, readChoice } from './environment.ts'

export function readSmtp(environment: Environment): SmtpSettings | undefined {
  const { PETSTORE_SMTP_URL: url, PETSTORE_MAIL_FROM: from, PETSTORE_SMTP_TLS: tls = 'required' } = environment
  if (!url) {
    if (!from) return undefined
    throw new ConfigError('PETSTORE_MAIL_FROM is set, so PETSTORE_SMTP_URL must be set too: no mail is sent without.')
  }
  if (!isMailServer(url)) {
    throw new ConfigError(
      'PETSTORE_SMTP_URL must be the address of a mail server, such as smtp://user:password@mail.example.com:587. ' +
        'In a password / # ? % @ are written %2F %23 %3F %25 %40.',
    )
  }
  if (!from || !/^[^\r\n]*[^\s@]+@[^\s@]+$|^[^\r\n]*<[^\s@]+@[^\s@]+>$/.test(from)) {
    throw new ConfigError(
      'PETSTORE_MAIL_FROM must be the sender of mails beside PETSTORE_SMTP_URL, such as petstore@example.com.',
    )
  }
  return { url, from, tls: readChoice('PETSTORE_SMTP_TLS', tls, ['required', 'optional']) }
}

/** A password that is not encoded may end the host before its time, or be nothing that can be decoded. */
function isMailServer(text: string): boolean {
  const url = /^smtps?:\/\/[^/?#]+\/?$/.test(text) ? URL.parse(text) : null
  if (!url || url.hostname === '' || url.port === '0') return false
  try {
    decodeURIComponent(url.username + url.password)
    return true
  } catch {
    return false
  }
}
