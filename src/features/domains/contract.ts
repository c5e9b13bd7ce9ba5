import { integer, object, optional, type Static, text } from '../../platform/schema.ts'
import { REDIRECT_STATUSES } from './redirects.ts'

/** Bodies of the dashboard's requests about domains. */

export const AddDomain = object({
  hostname: text({ minLength: 1, maxLength: 2048, rule: 'must be a domain such as www.example.com' }),
})

export const SetRedirect = object({
  to: text({ minLength: 1, maxLength: 2048, rule: 'must be a domain of this project' }),
  status: optional(integer({ enum: REDIRECT_STATUSES, rule: `must be one of ${REDIRECT_STATUSES.join(', ')}` })),
})

export const SetHsts = object({
  seconds: optional(
    integer({ minimum: 0, maximum: 63_072_000, rule: 'must be seconds from 0 to 63072000 (two years), or left out' }),
  ),
})

export type AddDomain = Static<typeof AddDomain>
export type SetRedirect = Static<typeof SetRedirect>
export type SetHsts = Static<typeof SetHsts>
