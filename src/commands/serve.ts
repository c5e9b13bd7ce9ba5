import { readConfig } from '../config.ts'
import { startPetstore } from '../main.ts'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'

export async function serve(): Promise<void> {
  const config = readConfig()
  const log = createLog(config.logLevel)
  const petstore = await startPetstore(config, systemClock, log)
  console.log('production', config.baseUrl.href, petstore.firstKeys)
  const stop = async () => { await petstore[Symbol.asyncDispose](); process.exit(0) }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
