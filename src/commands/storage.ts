import { storageOf } from '../features/audit/audited.ts'
import { type Config, readConfig } from '../config.ts'
import { noticesByMail } from '../features/accounts/mail/notices.ts'
import { COMMAND } from '../features/audit/record.ts'
import { migrations } from '../migrations.ts'
import type { Clock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { openStorage } from '../platform/storage/open.ts'
import type { AuditedStorage, Storage } from '../platform/storage/storage.ts'

/** The database that the settings name, also while a service is using it; every change leaves an audit entry. */
export async function openCommandStorage(clock: Clock): Promise<AuditedStorage> {
  const config = readConfig()
  return auditedStorage(await openPlainStorage(config), config, clock)
}

/** Where a command also needs the database itself. */
export function auditedStorage(storage: Storage, { smtp, baseUrl }: Config, clock: Clock): AuditedStorage {
  return storageOf(storage, COMMAND, clock, smtp && noticesByMail(baseUrl.origin))
}

/** Not taken from main.ts: a command has no use for the HTTP stack, which takes longer to load than the rest. */
export function openPlainStorage(config: Config): Promise<Storage> {
  const log = createLog(config.logLevel)
  return openStorage({
    dataDirectory: config.dataDirectory,
    databaseUrl: config.databaseUrl,
    migrations,
    onError: (error) => log.error({ err: error }, 'database connection lost'),
  })
}
