import { invalid } from '../../platform/errors.ts'

/** Names that people, browsers or mail clients take for the platform's own. */
const RESERVED = new Set(
  (
    'www api app admin administrator root system internal localhost status staging production dashboard docs blog ' +
    'support help contact about legal terms privacy cdn static assets media images ' +
    // Where people sign in, pay, or are told that they must.
    'account accounts auth oauth sso saml oidc login logout signin sign-in signup sign-up register password passkey ' +
    'security secure verify verification billing payment payments pay invoice checkout trust abuse ' +
    // What mail, browsers and certificate authorities look up by name, or write to (RFC 2142, CA/B 3.2.2.4.4).
    'mail email webmail smtp imap pop pop3 mta-sts postmaster hostmaster webmaster autodiscover autoconfig wpad ' +
    'isatap ftp sftp ssh vpn dns acme openpgpkey'
  ).split(' '),
)

/** A slug is a DNS label, because a project is published at `<slug>.<platform host>`. */
export function parseSlug(text: string): string {
  const slug = text.trim().toLowerCase()
  if (!/^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/.test(slug)) {
    throw invalid(
      `"${text}" cannot be a slug: use 3 to 63 letters, digits and hyphens, ` +
        'beginning and ending with a letter or digit.',
    )
  }
  if (slug.slice(2, 4) === '--') {
    throw invalid(`"${slug}" cannot be a slug: two hyphens in the third and fourth place mark encoded names.`)
  }
  if (RESERVED.has(slug) || /^(?:ns\d*|preview-[0-9a-f]{24})$/.test(slug)) {
    throw invalid(`"${slug}" is reserved for the platform: choose another slug.`)
  }
  return slug
}
