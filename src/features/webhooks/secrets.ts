import type { Endpoint } from './queries.ts'

/** Seals the secrets of endpoints: a copy of the database signs nothing. */
export interface SecretSealer {
  seal(place: { purpose: string; id: string }, secret: string): string
  open(place: { purpose: string; id: string }, sealed: string): string
}

export const secretOf = (endpointId: string) => ({ purpose: 'webhook secret', id: endpointId })

/** In place of a secret that can never be read again. */
export const LOST = ''

export const hasSecret = ({ sealed_secret }: Pick<Endpoint, 'sealed_secret'>) => sealed_secret !== LOST

export interface OldSecret {
  sealed: string
  until: number
}

/** From before the present one, with time left; the newest first. */
export function oldSecrets(endpoint: Endpoint, now: number): OldSecret[] {
  const { sealed_old_secret: sealed, old_secret_until: until, older_secrets } = endpoint
  const newest = sealed === null || until === null ? [] : [{ sealed, until }]
  const older: OldSecret[] = older_secrets === null ? [] : JSON.parse(older_secrets)
  return [...newest, ...older].filter((old) => old.until > now)
}

/** Those that sign now. */
export function signingSecrets(sealer: Pick<SecretSealer, 'open'>, endpoint: Endpoint, now: number): string[] {
  const sealed = [endpoint.sealed_secret, ...oldSecrets(endpoint, now).map((old) => old.sealed)]
  return sealed.map((one) => sealer.open(secretOf(endpoint.id), one))
}
