import { existsSync, statSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { createVault } from '../../features/certificates/vault.ts'
import { keyInUse, masterKeyFile } from '../../platform/master-key.ts'
import { shellWord, StartError } from '../../platform/start-error.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** Without it, private keys that the database holds cannot be opened any more; `used` is the id of the right one. */
export function checkMasterKey({ masterKey, dataDirectory }: Config, used: string | undefined): Check {
  const file = masterKeyFile(dataDirectory)
  try {
    if (used !== undefined) keyInUse({ configured: masterKey, dataDirectory }, used, (key) => createVault(key).keyId)
  } catch (error) {
    if (error instanceof StartError) return fail('master key', error.message)
    throw error
  }
  if (masterKey !== undefined) return ok('master key', 'PETSTORE_MASTER_KEY')
  if (!existsSync(file)) {
    return warn('master key', `${file} is made by the first start. If there was one, put it back before starting.`)
  }
  const open = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
  return open
    ? fail('master key', `${file} can be read by other users. Close it with: chmod 600 ${shellWord(file)}`)
    : ok('master key', `${file}. Keep a copy elsewhere.`)
}
