import { linkUrl } from '../links.ts'
import { type LinkRow, type LinkByMail } from './mailed-link.ts'
import type { SecretSealer } from '../second-factors/secret-sealer.ts'
import { hashToken, mintToken } from '../token.ts'
import type { NewMail } from './outbox.ts'

export interface LinkMailNeeds {
  /** Whether a mail server is configured. */
  mail: boolean
  sealer: SecretSealer
  dashboardUrl: string
}

export const mailedLink = (linkId: string) => ({ purpose: 'mailed link', id: linkId })

/**
 * A mail with a one-time link. It carries a token of its own: who uses that one can read what is sent to the address,
 * which the one who was shown the link cannot claim.
 */
export function mailLink(
  { sealer, dashboardUrl }: Omit<LinkMailNeeds, 'mail'>,
  link: LinkRow,
  words: Pick<NewMail, 'to' | 'subject' | 'text'>,
): LinkByMail {
  const token = mintToken()
  const sealed = sealer.seal(mailedLink(link.id), linkUrl(dashboardUrl, link.kind, token))
  return {
    link: { ...link, mailed_token_hash: hashToken(token) },
    mail: { ...words, link: { id: link.id, sealed } },
  }
}
