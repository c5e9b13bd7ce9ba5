import type { Endpoint } from './queries.ts'

/** Seals the secrets of endpoints: a copy of the database signs nothing. */
export interface SecretSealer {
  seal(place: { purpose: string; id: string }, secret: string): string
  open(place: { purpose: string; id: string }, sealed: string): string
}

export const secretOf = (endpointId: string) => ({ purpose: 'webhook secret', id: endpointId })

/** Those that sign now: two while the old one has time left. */
export function signingSecrets(sealer: Pick<SecretSealer, 'open'>, endpoint: Endpoint, now: number): string[] {
  const { id, sealed_secret, sealed_old_secret, old_secret_until } = endpoint
  const isOldUsed = sealed_old_secret !== null && (old_secret_until ?? 0) > now
  return [sealed_secret, ...(isOldUsed ? [sealed_old_secret] : [])].map((sealed) => sealer.open(secretOf(id), sealed))
}
