import { createHash } from 'node:crypto'

/** dns-01: what the TXT record at `_acme-challenge.<hostname>`, or wherever its CNAME leads, has to say. */
export const dnsChallengeText = (keyAuthorization: string) =>
  createHash('sha256').update(keyAuthorization).digest('base64url')
