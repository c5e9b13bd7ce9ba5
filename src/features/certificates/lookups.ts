import './tables.ts'
import type { Clock } from '../../platform/clock.ts'
import { defineWrite, type Storage } from '../../platform/storage/storage.ts'
import { findServedDomain } from '../domains/queries.ts'
import type { AccountStore, AcmeAccount } from './acme/account.ts'
import type { CaRoot } from './authority/internal-ca.ts'
import { findAlpnAnswer, findChallengeAnswer, findServedCertificate } from './queries.ts'
import type { Vault, VaultPlace } from './vault.ts'

const ROOT_ID = 'internal'

export const certificateKey = (id: string): VaultPlace => ({ purpose: 'certificate key', id })
export const orderKey = (hostname: string): VaultPlace => ({ purpose: 'order key', id: hostname })
const accountKey = (directoryUrl: string): VaultPlace => ({ purpose: 'ACME account key', id: directoryUrl })
const rootKey: VaultPlace = { purpose: 'root key', id: ROOT_ID }

interface NewAccount {
  directory_url: string
  sealed_key: string
}

const keepAccount = defineWrite('certificates.keepAccount', async (db, row: NewAccount) => {
  await db
    .insertInto('acme_accounts')
    .values({ ...row, url: null })
    .onConflict((conflict) => conflict.column('directory_url').doNothing())
    .execute()
})

const setAccountUrl = defineWrite(
  'certificates.setAccountUrl',
  async (db, { directoryUrl, url }: { directoryUrl: string; url: string }) => {
    await db.updateTable('acme_accounts').set({ url }).where('directory_url', '=', directoryUrl).execute()
  },
)

/** ACME accounts in the database, their keys sealed. */
export function createAccountStore(storage: Storage, vault: Vault): AccountStore {
  const find = async (directoryUrl: string): Promise<AcmeAccount | null> => {
    const row = await storage.read
      .selectFrom('acme_accounts')
      .selectAll()
      .where('directory_url', '=', directoryUrl)
      .executeTakeFirst()
    if (!row) return null
    return { directoryUrl, privateKeyPem: vault.open(accountKey(directoryUrl), row.sealed_key), url: row.url }
  }
  return {
    find,
    async keep({ directoryUrl, privateKeyPem }) {
      const sealed_key = vault.seal(accountKey(directoryUrl), privateKeyPem)
      await storage.write(keepAccount, { directory_url: directoryUrl, sealed_key })
      return (await find(directoryUrl)) as AcmeAccount
    },
    async setUrl(directoryUrl, url) {
      await storage.write(setAccountUrl, { directoryUrl, url })
    },
  }
}

const keepRoot = defineWrite(
  'certificates.keepRoot',
  async (db, row: { certificate: string; sealed_key: string; created_at: number }) => {
    await db
      .insertInto('ca_roots')
      .values({ id: ROOT_ID, ...row })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  },
)

/** The root of this installation, made on its first start; the same for every instance. */
export async function openRoot(storage: Storage, vault: Vault, clock: Clock): Promise<CaRoot> {
  const find = () => storage.read.selectFrom('ca_roots').selectAll().where('id', '=', ROOT_ID).executeTakeFirst()
  let row = await find()
  if (!row) {
    const { createRoot } = await import('./authority/internal-ca.ts')
    const { certificatePem, privateKeyPem } = await createRoot({ clock })
    const sealed_key = vault.seal(rootKey, privateKeyPem)
    await storage.write(keepRoot, { certificate: certificatePem, sealed_key, created_at: clock.now() })
    row = await find()
  }
  if (!row) throw new Error('The root of the internal CA was stored and is not there.')
  return { certificatePem: row.certificate, privateKeyPem: vault.open(rootKey, row.sealed_key) }
}

export interface ServedCertificate {
  /** Changes when the certificate does. */
  id: string
  key: string
  cert: string
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

interface LookupParts {
  storage: Storage
  vault: Vault
  clock: Clock
}

export function certificateLookups({ storage, vault, clock }: LookupParts): CertificateLookups {
  const { read } = storage
  const served = async (hostname: string) => (await findServedCertificate(read, { hostname, now: clock.now() }))[0]
  return {
    async certificateFor(hostname) {
      const [domain] = await findServedDomain(read, { hostname })
      const row = domain && (await served(hostname))
      return row && { id: row.id, key: vault.open(certificateKey(row.id), row.sealed_key), cert: row.chain }
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
