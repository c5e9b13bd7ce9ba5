import { type Config, ConfigError, readConfig } from '../config.ts'
import type { Clock } from '../platform/clock.ts'
import { columns } from '../../cli/src/line/columns.ts'
import { defineCommand } from '../../cli/src/line/command.ts'
import { type Check, fail, ok, warn } from './doctor/check.ts'
import { checkDnsZone } from './doctor/dns-zone.ts'
import { checkClock, checkDataDirectory, checkDisk, checkNode } from './doctor/machine.ts'
import { checkPlatformChallenge } from './doctor/platform-challenge.ts'
import { checkPorts } from './doctor/ports.ts'
import { checkPostgres } from './doctor/postgres.ts'
import { checkResolvers } from './doctor/resolvers.ts'
import { checkSqlite } from './doctor/sqlite.ts'
import { unknownSettings } from './line/unknown-settings.ts'
import { checkUnitFile } from './doctor/unit-file.ts'
import { json } from '../../cli/src/line/options.ts'

export const command = defineCommand({
  about: `Checks the machine, the settings and the database, and says what to do about what it finds.
Changes nothing, and may be run while the service runs. Exit code 1 when something fails.`,
  arguments: [],
  options: {
    full: { type: 'boolean', help: 'also check that every index agrees with its table, which can take minutes' },
    json,
  },
  examples: ['petstore doctor', 'petstore doctor --json | jq .ok'],
  async run({ values, terminal, clock }) {
    const checks = await examine(clock, values.full ? 'full' : 'quick')
    const well = checks.every((check) => check.state !== 'fail')
    if (values.json) terminal.printJson({ ok: well, checks })
    else terminal.print(columns(checks.map(({ state, name, message }) => [state.padEnd(4), name, message])))
    return well ? 0 : 1
  },
})

async function examine(clock: Clock, depth: 'quick' | 'full'): Promise<Check[]> {
  const config = readableConfig()
  if ('state' in config) return [checkNode(), config]
  const { dataDirectory, databaseUrl } = config
  return [
    checkNode(),
    ok('settings', `production ${config.baseUrl.href}, staging ${config.stagingUrl.href}`),
    ...unknownSettings(config.unknownNames).map((sentence) => warn('settings', sentence)),
    ...checkUnitFile(config.namesSet),
    checkDataDirectory(dataDirectory),
    checkDisk(dataDirectory),
    checkClock(clock, dataDirectory),
    ...(databaseUrl ? await checkPostgres(config, databaseUrl, clock) : checkSqlite(config, depth)),
    ...(await checkPorts(config)),
    ...(await checkResolvers(config, clock)),
    ...(await checkDnsZone(config, clock)),
    ...(await checkPlatformChallenge(config, clock)),
  ]
}

function readableConfig(): Config | Check {
  try {
    return readConfig()
  } catch (error) {
    if (error instanceof ConfigError) return fail('settings', error.message)
    throw error
  }
}
