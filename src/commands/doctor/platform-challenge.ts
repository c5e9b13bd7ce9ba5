import type { Config } from '../../config.ts'
import {
  CHALLENGE_SECRET,
  challengeName,
  openChallengeZone,
} from '../../features/domains/preparation/challenge-zone.ts'
import type { Clock } from '../../platform/clock.ts'
import { formatServerAddress } from '../../platform/dns/address.ts'
import { createDnsClient } from '../../platform/dns/client.ts'
import { recordsOf } from '../../platform/dns/record.ts'
import { databaseFile } from '../../platform/storage/open.ts'
import { findSetting } from '../../platform/storage/setting.ts'
import { openSqlite } from '../../platform/storage/sqlite/connection.ts'
import { type Check, ok, warn } from './check.ts'
import { firstResolver } from './resolvers.ts'

const NAME = 'platform wildcard'

/** Whether the platform's own wildcard can be proved: the record that leads an authority into our zone. */
export async function checkPlatformChallenge(config: Config, clock: Clock): Promise<Check[]> {
  const { dnsZone, acme, platformCertificate, platformHost, sandbox } = config
  const resolver = firstResolver(config)
  if (!dnsZone || !acme || platformCertificate || sandbox || !resolver) return []
  const secret = await findSecret(config)
  if (secret === undefined) {
    return [warn(NAME, 'The value of its record is not known before the first start. Run petstore doctor again then.')]
  }
  const hostname = `*.${platformHost}`
  const wanted = openChallengeZone(dnsZone.zone, secret).nameFor({ hostname, projectId: undefined })
  const name = challengeName(hostname)
  const { answers, error } = await createDnsClient({ clock }).ask(resolver, name, 'CNAME', { recursion: true })
  const found = recordsOf(answers, 'CNAME', name).map(({ data }) => data)
  if (found.length === 1 && found[0] === wanted) return [ok(NAME, `${name} leads into ${dnsZone.zone}`)]
  const at = formatServerAddress(resolver)
  const seen = error ? `gave no answer (${error.message})` : `has ${found.join(', ') || 'no CNAME'} there`
  const todo = `In the zone of ${platformHost}, create a CNAME with the name ${name} and the value ${wanted}`
  return [warn(NAME, `${todo}: without it no authority can be answered for ${hostname}. ${at} ${seen}.`)]
}

/** Read as it is: here no schema is brought up to date. What is wrong with the database is said elsewhere. */
async function findSecret({ databaseUrl, dataDirectory }: Config): Promise<string | undefined> {
  try {
    if (databaseUrl) {
      const { openPostgresStorage } = await import('../../platform/storage/postgres/storage.ts')
      await using storage = await openPostgresStorage(databaseUrl, () => {})
      return await findSetting(storage, CHALLENGE_SECRET)
    }
    using closing = new DisposableStack()
    const connection = closing.adopt(openSqlite(databaseFile(dataDirectory), { readOnly: true }), (it) => it.close())
    return await findSetting({ read: connection.db }, CHALLENGE_SECRET)
  } catch {
    return undefined
  }
}
