import { domainToASCII, domainToUnicode } from 'node:url'
import { invalid } from '../../platform/errors.ts'
import { canonicalHostname } from '../../platform/hostname.ts'
import { beginningOf } from '../../platform/schema.ts'

const EMAIL_LENGTH_MAX = 254
/**
 * Without what would make it a list, a group, or a name or a comment beside another address. Some scripts need joiners
 * in a domain.
 */
const ADDRESS = /^([^\s@\p{C}<>()[\]\\,;:"]{1,64})@((?:[^\s@\p{C}:]|[\u200c\u200d])+)$/u

/**
 * One spelling for an address, however it was typed: mails to it are counted by that. What lies behind it only a
 * message can prove.
 */
export function parseEmail(text: string): string {
  const [, mailbox, typedDomain] = ADDRESS.exec(text.trim().normalize('NFC').toLowerCase()) ?? []
  const domain = typedDomain && spellDomain(typedDomain)
  const email = `${mailbox}@${domain}`
  if (domain && email.length <= EMAIL_LENGTH_MAX) return email
  throw invalid(`"${beginningOf(text, 80)}" is not an e-mail address: write it like name@example.com.`)
}

/**
 * In the letters of its script, also where it was typed as DNS writes it (`xn--…`). Wide, circled and invisible letters
 * lead to the same mail server; those of other scripts are names of their own.
 */
function spellDomain(domain: string): string | undefined {
  const hostname = canonicalHostname(domain)
  return hostname && domainToUnicode(hostname)
}

/**
 * The spellings under which the database may have an address: versions before this one kept domains in the letters of
 * DNS where they were typed so, and may still do that beside this one.
 */
export function spellingsOf(email: string): string[] {
  const at = email.lastIndexOf('@') + 1
  const [mailbox, domain] = [email.slice(0, at), email.slice(at)]
  // Either function answers with nothing where the domain has no such spelling.
  const domains = new Set([domain, domainToUnicode(domain) || domain, domainToASCII(domain) || domain])
  return Array.from(domains, (spelling) => mailbox + spelling)
}
