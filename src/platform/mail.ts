import { beginningOf, TURNING_CHARACTERS } from './schema.ts'

interface Mail {
  /** One address: whether and when it takes mail is its own affair. */
  to: string
  subject: string
  text: string
  /** The same for every attempt, so that a mail sent twice is recognised as one. */
  messageId: string
}

/** Gives what the mail server says where it takes this mail neither now nor later; rejects where it may yet. */
export type SendMail = (mail: Mail) => Promise<string | undefined>

export interface SmtpSettings {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  url: string
  from: string
  /** Of `smtp://`, which begins in the clear: `optional` also gives mail to a server that offers no TLS. */
  tls: 'required' | 'optional'
}

const TIMEOUT_MS = 10_000

/** Mail over SMTP. The library is loaded with the first mail: most installations never send one. */
export function createMailer({ url, from, tls }: SmtpSettings): SendMail & Disposable {
  let transport: Promise<{ sendMail(message: object): Promise<unknown>; close(): void }> | undefined

  const open = async () => {
    const { createTransport } = await import('nodemailer')
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
    const { hostname, port, username, password, protocol } = new URL(url)
    const login = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
    const auth = username === '' ? {} : { auth: login }
    const secure = protocol === 'smtps:'
    const security = { secure, requireTLS: !secure && tls === 'required' }
    return createTransport({
      // An address of IPv6 stands in brackets only in a URL.
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port) || (secure ? 465 : 587),
      ...security,
      ...auth,
      ...timeouts,
    })
  }
  const send: SendMail = async ({ to, subject, text, messageId }) => {
    transport ??= open()
    const opened = await transport
    try {
      await opened.sendMail({
        from,
        // A text would be read as a list of addresses.
        to: { name: '', address: to },
        subject: withoutTurns(subject),
        text: withoutTurns(text),
        messageId,
        disableFileAccess: true,
        disableUrlAccess: true,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      return undefined
    } catch (error) {
      const refusal = refusalIn(error as SmtpError)
      if (refusal === undefined) throw error
      return refusal
    }
  }
  return Object.assign(send, {
    [Symbol.dispose]: () => void transport?.then((opened) => opened.close()),
  })
}

/** Names from before they were refused would turn our words, or an address, around. */
const withoutTurns = (text: string) => text.replaceAll(TURNING_CHARACTERS, '')

interface SmtpError extends Error {
  command?: string
  responseCode?: number
  response?: string
}

const REPLY_LENGTH_MAX = 200

/**
 * A 5xx about the recipient or the text is the server's last word. One about the login, TLS or the sender is about the
 * settings: the operator can mend those, and what waits is sent then.
 */
function refusalIn({ command, responseCode = 0, response = '' }: SmtpError): string | undefined {
  if (responseCode < 500 || (command !== 'RCPT TO' && command !== 'DATA')) return undefined
  return beginningOf(response.replaceAll(/\s+/g, ' '), REPLY_LENGTH_MAX)
}
