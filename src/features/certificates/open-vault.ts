import { openMasterKey } from '../../platform/master-key.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { createVault, type Vault } from './vault.ts'

interface VaultOptions {
  masterKey: string | undefined
  dataDirectory: string
}

/** The installation's vault: what it seals, every instance and command can open. */
export async function openVault(storage: Storage, { masterKey, dataDirectory }: VaultOptions): Promise<Vault> {
  const source = { configured: masterKey, dataDirectory }
  return createVault(await openMasterKey(storage, source, (key) => createVault(key).keyId))
}
