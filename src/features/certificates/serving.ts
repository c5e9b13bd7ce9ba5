import type { Clock } from '../../platform/clock.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { wildcardOver } from '../domains/preparation/challenge-zone.ts'
import { findServedDomain } from '../domains/queries.ts'
import { type CertificateRow, findAlpnAnswer, findChallengeAnswer, findServedCertificate } from './queries.ts'
import { certificateKey, type Vault } from './vault.ts'

export interface ServedCertificate {
  /** Changes when the certificate does. */
  id: string
  key: string
  cert: string
  notAfter: number
}

/** What the edge asks about the hostnames that people have added. */
export interface CertificateLookups {
  /** Only for hostnames that are served now; the newest certificate that is good at this moment. */
  certificateFor(hostname: string): Promise<ServedCertificate | undefined>
  hasCertificate(hostname: string): Promise<boolean>
  /** The key authorisation of http-01, from any instance. */
  challengeAnswer(hostname: string, token: string): Promise<string | undefined>
  /** The certificate of tls-alpn-01, while an order with that challenge is under way. */
  alpnAnswer(hostname: string): Promise<{ key: string; cert: string } | undefined>
}

export const servedCertificate = (
  { id, sealed_key, chain, not_after }: CertificateRow,
  vault: Pick<Vault, 'open'>,
): ServedCertificate => ({ id, key: vault.open(certificateKey(id), sealed_key), cert: chain, notAfter: not_after })

interface CertificateLookupsNeeds {
  storage: Storage
  vault: Vault
  clock: Clock
}

export function certificateLookups({ storage, vault, clock }: CertificateLookupsNeeds): CertificateLookups {
  const { read } = storage
  const served = async (hostname: string) => (await findServedCertificate(read, { hostname, now: clock.now() }))[0]
  /** For names that nobody has added, and for those of the same project that have none of their own yet. */
  const ofWildcard = async (hostname: string, projectId: number | undefined) => {
    const over = wildcardOver(hostname)
    const [wildcard] = await findServedDomain(read, { hostname: over })
    if (!wildcard || (projectId !== undefined && projectId !== wildcard.project_id)) return undefined
    return served(over)
  }
  return {
    async certificateFor(hostname) {
      const [domain] = await findServedDomain(read, { hostname })
      const own = domain && (await served(hostname))
      const row = own ?? (await ofWildcard(hostname, domain?.project_id))
      return row && servedCertificate(row, vault)
    },

    hasCertificate: async (hostname) => (await served(hostname)) !== undefined,

    challengeAnswer: async (hostname, token) =>
      (await findChallengeAnswer(read, { hostname, token }))[0]?.key_authorization,

    async alpnAnswer(hostname) {
      const answer = await findAlpnAnswer(read, hostname)
      if (!answer) return undefined
      const proof = { hostname, keyAuthorization: answer.key_authorization }
      const { createValidationCertificate } = await import('./acme/challenge.ts')
      const { privateKeyPem: key, certificatePem: cert } = await createValidationCertificate({ clock }, proof)
      return { key, cert }
    },
  }
}
