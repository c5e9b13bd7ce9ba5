import { findSetting } from '../storage/setting.ts'
import { defineWrite, type Storage } from '../storage/storage.ts'

/** What people, browsers and records outside know the installation by. */
interface InstallationAddresses {
  production: string
  staging: string
  platformHost: string
}

interface OtherAddressesNeeds {
  storage: Storage
  addresses: InstallationAddresses
  /** Makes anew, in the background, what the service has published of its own addresses, and calls back after all. */
  renew(done: () => Promise<unknown>): void
  /** They are others than at the last start. */
  onMove(before: InstallationAddresses): void
}

const SETTING = 'addresses_seen'

const keepAddresses = defineWrite('settings.keepAddresses', async (db, value: string) => {
  await db
    .insertInto('settings')
    .values({ name: SETTING, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
})

/**
 * A database that is started under other addresses, as after a restore on another machine, still holds some of the old
 * ones. The new ones are noted when all is renewed: whatever ends the process before, the next start does it again.
 */
export async function noticeOtherAddresses({ storage, addresses, renew, onMove }: OtherAddressesNeeds): Promise<void> {
  const value = JSON.stringify(addresses)
  const before = await findSetting(storage, SETTING)
  if (before === value) return
  if (before !== undefined) onMove(JSON.parse(before) as InstallationAddresses)
  renew(() => storage.write(keepAddresses, value))
}
