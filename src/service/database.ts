import type { Config } from '../config.ts'
import { migrations } from '../migrations.ts'
import type { Log } from '../platform/log.ts'
import { openStorage, type StorageChoice } from '../platform/storage/open.ts'
import type { Storage } from '../platform/storage/storage.ts'

/** The database that the settings name, with the schema of this version. */
export function openConfiguredStorage(
  config: Pick<Config, 'dataDirectory' | 'databaseUrl'>,
  log: Log,
  more: Pick<StorageChoice, 'onDeath' | 'writer' | 'connectionsMax'> = {},
): Promise<Storage> {
  return openStorage({
    dataDirectory: config.dataDirectory,
    databaseUrl: config.databaseUrl,
    migrations,
    onError: (error) => log.error({ err: error }, 'database connection lost'),
    ...more,
  })
}
