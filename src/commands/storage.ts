import { type Config, readConfig } from '../config.ts'
import { migrations } from '../migrations.ts'
import { createLog } from '../platform/log.ts'
import { openStorage } from '../platform/storage/open.ts'
import type { Storage } from '../platform/storage/storage.ts'

/**
 * The database that the settings name, also while a service is using it.
 * Not taken from main.ts: a command has no use for the HTTP stack, which costs it a third of a second.
 */
export function openCommandStorage(config: Config = readConfig()): Promise<Storage> {
  const log = createLog(config.logLevel)
  return openStorage({
    dataDirectory: config.dataDirectory,
    databaseUrl: config.databaseUrl,
    migrations,
    onError: (error) => log.error({ err: error }, 'database connection lost'),
  })
}
