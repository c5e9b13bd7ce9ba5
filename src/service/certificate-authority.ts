import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import { limitsOf } from '../features/certificates/budget/limits.ts'
import { acmeCaaIdentity, internalCaaIdentity } from '../features/certificates/caa-identity.ts'
import type { InstallationCa } from '../features/certificates/authority/installation-ca.ts'
import type { Authority } from '../features/certificates/choice/authority.ts'
import type { Vault } from '../features/certificates/vault.ts'
import type { CaaExpectation } from '../features/domains/diagnosis/judge-caa.ts'
import type { Clock } from '../platform/clock.ts'
import { StartError } from '../platform/start-error.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { AcmeConfig } from '../settings/acme.ts'

/** Who issues the certificates of custom domains, and what it asks of them. */
export interface CertificateAuthority extends Authority {
  /** Takes over when that one fails. */
  fallback?: Authority | undefined
  /** What they are called in CAA records. */
  caa: () => Promise<CaaExpectation | undefined>
  /** Roots that only this installation knows. */
  rootsPem: () => Promise<readonly string[]>
}

export const authoritiesOf = ({ issuer, limits, fallback }: CertificateAuthority): readonly Authority[] =>
  fallback ? [{ issuer, limits }, fallback] : [{ issuer, limits }]

interface CertificateAuthorityNeeds {
  config: Pick<Config, 'acme' | 'acmeFallback' | 'platformHost'>
  storage: Storage
  clock: Clock
  vault: Vault
  ca: InstallationCa
  random: () => number
  /** Told of a setting that the authority makes nothing of. */
  onProblem?: (sentence: string) => void
}

export async function openCertificateAuthority(needs: CertificateAuthorityNeeds): Promise<CertificateAuthority> {
  const { config, ca } = needs
  if (!config.acme) {
    const caa = internalCaaIdentity(config.platformHost)
    return { issuer: ca, limits: undefined, caa: async () => caa, rootsPem: async () => [await ca.rootPem()] }
  }
  const first = await openAcmeAuthority(needs, config.acme, 'PETSTORE_ACME')
  const fallback =
    config.acmeFallback && (await openAcmeAuthority(needs, config.acmeFallback, 'PETSTORE_ACME_FALLBACK'))
  return {
    ...first,
    fallback,
    async caa() {
      const [expected, second] = await Promise.all([first.caa(), fallback?.caa()])
      return expected && second ? { ...expected, fallback: second } : expected
    },
    rootsPem: async () => [],
  }
}

async function openAcmeAuthority(needs: CertificateAuthorityNeeds, config: AcmeConfig, prefix: string) {
  // Loaded only here: an installation with its own CA has no use for the client.
  const { createAcmeIssuer } = await import('../features/certificates/acme/acme-issuer.ts')
  const { createAccountStore } = await import('../features/certificates/acme/account-store.ts')
  const { createAcmeTransport } = await import('../features/certificates/acme/transport.ts')
  const { storage, clock, vault, random, onProblem } = needs
  const { directory: directoryUrl, email, externalAccount, profile, preferredChain } = config
  const transport = createAcmeTransport(trusted(config, prefix))
  const issuer = createAcmeIssuer(
    { transport, clock, random, accounts: createAccountStore(storage, vault) },
    {
      directoryUrl,
      contactEmail: email,
      externalAccount: externalAccount ? { kid: externalAccount.keyId, hmacKey: externalAccount.key } : undefined,
      profile,
      preferredChain,
      onUnknownProfile: (name, offered) =>
        onProblem?.(
          `${prefix}_PROFILE is "${name}", which the authority does not offer` +
            `${offered.length ? ` (it has ${offered.join(', ')})` : ''}: its own choice is ordered instead.`,
        ),
    },
  )
  const caa = acmeCaaIdentity({ transport, storage, clock, directoryUrl })
  return { issuer, limits: limitsOf(directoryUrl, config.limits), caa }
}

function trusted({ caFile }: AcmeConfig, prefix: string): { caPem?: string } {
  if (caFile === undefined) return {}
  try {
    return { caPem: readFileSync(caFile, 'utf8') }
  } catch (error) {
    throw new StartError(
      `${prefix}_CA_FILE cannot be read (${(error as NodeJS.ErrnoException).code}): check the path ${caFile}.`,
    )
  }
}
