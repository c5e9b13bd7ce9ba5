import './tables.ts'
import { createHash } from 'node:crypto'
import { HOUR_MS } from '../../../platform/clock.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'

/** Long enough to sign in at a provider and to find one's second factor. */
export const REQUEST_LIFE_MS = HOUR_MS

interface NewRequest {
  state: string
  domainId: string
  projectId: number
  hostname: string
  sessionId: string
  provider: string
  now: number
}

/** One open request of a domain for each session: a new one ends the one before. */
export const openRequest = defineWrite(
  'connect.open',
  async (db, { state, domainId, sessionId, provider, now }: NewRequest) => {
    await db
      .deleteFrom('connect_requests')
      .where((eb) =>
        eb.or([
          eb('expires_at', '<=', now),
          eb.and([eb('domain_id', '=', domainId), eb('session_id', '=', sessionId)]),
        ]),
      )
      .execute()
    await db
      .insertInto('connect_requests')
      .values({
        state: hashed(state),
        domain_id: domainId,
        session_id: sessionId,
        provider,
        expires_at: now + REQUEST_LIFE_MS,
      })
      .execute()
  },
  {
    note: ({ projectId, hostname, provider }) => ({
      verb: 'domain.connect',
      subject: hostname,
      projectId,
      details: { provider },
    }),
  },
)

interface Return {
  state: string
  domainId: string
  projectId: number
  hostname: string
  sessionId: string
  error: string | undefined
  now: number
}

/** Ends the request that the state belongs to; undefined when it is not of this domain and session, or is over. */
export const closeRequest = defineWrite(
  'connect.close',
  async (db, { state, domainId, sessionId, now }: Return) => {
    const request = await db
      .deleteFrom('connect_requests')
      .where('state', '=', hashed(state))
      .where('domain_id', '=', domainId)
      .where('session_id', '=', sessionId)
      .where('expires_at', '>', now)
      .returning('provider')
      .executeTakeFirst()
    return request?.provider
  },
  {
    note: ({ projectId, hostname, error }, provider) =>
      provider === undefined
        ? undefined
        : {
            verb: 'domain.connect-return',
            subject: hostname,
            projectId,
            details: { provider, outcome: error ?? 'applied' },
          },
  },
)

const hashed = (state: string) => createHash('sha256').update(state).digest('base64url')
