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

/** Tells where a database is started under other addresses, as after a restore on another machine. */
export async function noticeOtherAddresses({ storage, addresses, onMove }: OtherAddressesNeeds): Promise<void> {
  const value = JSON.stringify(addresses)
  const before = await findSetting(storage, SETTING)
  if (before === value) return
  if (before !== undefined) onMove(JSON.parse(before) as InstallationAddresses)
  await storage.write(keepAddresses, value)
}
