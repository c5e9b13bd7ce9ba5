import { existsSync, statSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { masterKeyFile } from '../../platform/master-key.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** Without it, private keys that the database holds cannot be opened any more. */
export function checkMasterKey({ masterKey, dataDirectory }: Config): Check {
  const file = masterKeyFile(dataDirectory)
  if (masterKey !== undefined) return ok('master key', 'PETSTORE_MASTER_KEY')
  if (!existsSync(file)) {
    return warn('master key', `${file} is made by the first start. If there was one, put it back before starting.`)
  }
  const open = process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
  return open
    ? fail('master key', `${file} can be read by other users. Close it with: chmod 600 ${file}`)
    : ok('master key', `${file}. Keep a copy elsewhere.`)
}
