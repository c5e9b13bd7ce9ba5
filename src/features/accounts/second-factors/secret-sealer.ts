/** Seals the secrets of one-time codes, and links that wait to be mailed: a copy of the database opens no account. */
export interface SecretSealer {
  seal(place: { purpose: string; id: string }, secret: string): string
  open(place: { purpose: string; id: string }, sealed: string): string
}
