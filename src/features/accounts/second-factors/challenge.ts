import { MINUTE_MS, type Clock } from '../../../platform/clock.ts'
import { conflict, PetstoreError } from '../../../platform/errors.ts'
import type { AuditedStorage } from '../../../platform/storage/storage.ts'
import { hashToken, isToken, mintToken } from '../token.ts'
import type { ChallengePurpose } from '../tables.ts'
import { findChallenge } from './factor-queries.ts'
import { insertChallenge, type NewChallenge } from './factor-writes.ts'

const LIFE_MS = 5 * MINUTE_MS

interface ChallengeNeeds {
  storage: AuditedStorage
  clock: Clock
}

/** What must be answered, and by whom; the ticket is what the browser shows for it. */
export async function openChallenge(
  { storage, clock }: ChallengeNeeds,
  purpose: ChallengePurpose,
  accountId: string | undefined,
  challenge: string,
  knew?: NewChallenge['knew'],
): Promise<string> {
  const ticket = mintToken()
  const now = clock.now()
  const row = {
    token_hash: hashToken(ticket),
    purpose,
    account_id: accountId ?? null,
    challenge,
    failures: 0,
    created_at: now,
    expires_at: now + LIFE_MS,
  }
  const { kind } = await storage.write(insertChallenge, { challenge: row, knew })
  if (kind === 'stale') throw conflict('The password has just been changed elsewhere: begin again.')
  return ticket
}

export async function requireChallenge(
  { storage, clock }: ChallengeNeeds,
  purpose: ChallengePurpose,
  ticket: string,
  accountId?: string,
) {
  const tokenHash = isToken(ticket) ? hashToken(ticket) : ''
  const challenge = await findChallenge(storage.read, { tokenHash, purpose, now: clock.now() })
  if (!challenge || (accountId !== undefined && challenge.account_id !== accountId)) throw challengeIsSpent()
  return challenge
}

export const challengeIsSpent = () =>
  new PetstoreError('gone', 'This took too long, or was tried too often: begin again.')
