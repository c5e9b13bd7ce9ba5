import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import '../src/features/certificates/tables.ts'
import { dnsChallengeText } from '../src/features/certificates/acme/dns-challenge.ts'
import { openChallengeZone } from '../src/features/domains/preparation/challenge-zone.ts'
import { migrations } from '../src/migrations.ts'
import { systemClock } from '../src/platform/clock.ts'
import { openAuthoritativeListener } from '../src/platform/dns/authoritative/listener.ts'
import { openStorage } from '../src/platform/storage/open.ts'
import { defineWrite } from '../src/platform/storage/storage.ts'
import { labelZone } from '../src/service/challenges.ts'

/** The service's DNS listener alone, on SQLite, with as many orders under way as it is told. */
const [apex, count] = [process.argv[2] as string, Number(process.argv[3])]
const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-bench-dns-'))
process.on('exit', () => rmSync(dataDirectory, { recursive: true, force: true }))
const storage = await openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: console.error })
const zone = openChallengeZone(apex, 'bench')
const orders = Array.from({ length: count }, (_, index) => ({
  hostname: `www${index}.example.com`,
  token: 'token',
  type: 'dns-01' as const,
  key_authorization: `token${index}.thumbprint`,
  label: zone.labelFor({ hostname: `www${index}.example.com`, projectId: 1 }),
}))
const fill = defineWrite('bench.fill', async (db, rows: typeof orders) => {
  for (const row of rows) await db.insertInto('challenge_answers').values(row).execute()
})
await storage.write(fill, orders)
const listener = await openAuthoritativeListener(
  {
    clock: systemClock,
    zone: labelZone(zone, ['ns1.example.net'], storage),
    at: { address: '127.0.0.1', port: 0 },
    onError: console.error,
  },
  { repliesPerSecond: Infinity },
)
process.on('SIGTERM', () => process.exit(0))
const texts = orders.map(({ label, key_authorization }) => ({ label, text: dnsChallengeText(key_authorization) }))
console.log(JSON.stringify({ port: listener.port, texts }))
