import '../tables.ts'
import { defineWrite, type Storage } from '../../../platform/storage/storage.ts'
import { accountKey, type Vault } from '../vault.ts'
import type { AccountStore, AcmeAccount } from './account.ts'

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
  const find = async (directoryUrl: string): Promise<AcmeAccount | undefined> => {
    const row = await storage.read
      .selectFrom('acme_accounts')
      .selectAll()
      .where('directory_url', '=', directoryUrl)
      .executeTakeFirst()
    if (!row) return undefined
    return {
      directoryUrl,
      privateKeyPem: vault.open(accountKey(directoryUrl), row.sealed_key),
      url: row.url ?? undefined,
    }
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
