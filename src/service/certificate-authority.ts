import { readFileSync } from 'node:fs'
import type { AcmeConfig, Config } from '../config.ts'
import { type CaLimits, limitsOf } from '../features/certificates/budget/limits.ts'
import { acmeCaaIdentity, internalCaaIdentity } from '../features/certificates/caa-identity.ts'
import type { InstallationCa } from '../features/certificates/authority/installation-ca.ts'
import type { Issuer } from '../features/certificates/issuer.ts'
import type { Vault } from '../features/certificates/vault.ts'
import type { CaaExpectation } from '../features/domains/diagnosis/judge-caa.ts'
import type { Clock } from '../platform/clock.ts'
import { StartError } from '../platform/start-error.ts'
import type { Storage } from '../platform/storage/storage.ts'

/** Who issues the certificates of custom domains, and what it asks of them. */
export interface CertificateAuthority {
  issuer: Issuer
  limits: CaLimits | undefined
  /** What it is called in CAA records. */
  caa: () => Promise<CaaExpectation | undefined>
  /** Roots that only this installation knows. */
  rootsPem: () => Promise<readonly string[]>
}

interface CertificateAuthorityNeeds {
  config: Pick<Config, 'acme' | 'platformHost'>
  storage: Storage
  clock: Clock
  vault: Vault
  ca: InstallationCa
  random: () => number
}

export async function openCertificateAuthority(needs: CertificateAuthorityNeeds): Promise<CertificateAuthority> {
  const { config, storage, clock, vault, ca, random } = needs
  if (!config.acme) {
    const caa = internalCaaIdentity(config.platformHost)
    return { issuer: ca, limits: undefined, caa: async () => caa, rootsPem: async () => [await ca.rootPem()] }
  }
  // Loaded only here: an installation with its own CA has no use for the client.
  const { createAcmeIssuer } = await import('../features/certificates/acme/acme-issuer.ts')
  const { createAccountStore } = await import('../features/certificates/acme/account-store.ts')
  const { createAcmeTransport } = await import('../features/certificates/acme/transport.ts')
  const { directory: directoryUrl, email, externalAccount } = config.acme
  const transport = createAcmeTransport(trusted(config.acme))
  const issuer = createAcmeIssuer(
    { transport, clock, random, accounts: createAccountStore(storage, vault) },
    {
      directoryUrl,
      contactEmail: email,
      externalAccount: externalAccount ? { kid: externalAccount.keyId, hmacKey: externalAccount.key } : undefined,
    },
  )
  const caa = acmeCaaIdentity({ transport, storage, clock, directoryUrl })
  return { issuer, limits: limitsOf(directoryUrl, config.acme.limits), caa, rootsPem: async () => [] }
}

function trusted({ caFile }: AcmeConfig): { caPem?: string } {
  if (caFile === undefined) return {}
  try {
    return { caPem: readFileSync(caFile, 'utf8') }
  } catch (error) {
    throw new StartError(
      `PETSTORE_ACME_CA_FILE cannot be read (${(error as NodeJS.ErrnoException).code}): check the path ${caFile}.`,
    )
  }
}
