import { integer, optional, text } from '../../schema.ts'

export const LIMIT_DEFAULT = 20
const LIMIT_MAX = 100

/** The query parameters of every list. Apart from `page.ts`, which needs Node: browsers read contracts too. */
export const pageParameters = {
  limit: optional(
    integer({
      minimum: 1,
      maximum: LIMIT_MAX,
      default: LIMIT_DEFAULT,
      description: 'Maximum number of results returned.',
      rule: 'must be an integer from 1 to 100',
    }),
  ),
  cursor: optional(
    text({
      description: 'Position of the next page, taken from the `Link` header; valid for the same key and filters only.',
      rule: 'must be the value that the Link header gave',
    }),
  ),
}
