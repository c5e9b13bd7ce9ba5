import { invalid } from '../../platform/errors.ts'

/** Names that people, browsers or mail clients take for the platform's own. */
const RESERVED = new Set(
  (
    'www api app admin mail smtp imap pop ftp autodiscover autoconfig wpad isatap localhost status login oauth ' +
    'cdn static assets staging dashboard docs support help blog'
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
