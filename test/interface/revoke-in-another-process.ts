import { readConfig } from '../../src/config.ts'
import { revokeKey } from '../../src/features/keys/keys.ts'
import { openConfiguredStorage } from '../../src/service/database.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createLog } from '../../src/platform/log.ts'

/** Run as a process of its own, with the service's settings: revokes one key and ends. */
const [projectId, keyId] = process.argv.slice(2)
await using storage = await openConfiguredStorage(readConfig(), createLog('silent'))
await revokeKey({ storage, clock: systemClock }, Number(projectId), String(keyId))
