import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { InternalCa } from '../src/features/certificates/authority/internal-ca.ts'
import { hostOf, type Setup } from './many-hosts-server.ts'
import { cpuMsOfHandshakes, residentMb } from './process-figures.ts'
import { judge } from './report.ts'

const HOSTS = 10_000
const CONTEXTS_MAX = 1_000
const HANDSHAKES = 2_500
const ROUNDS = 8
/** Between a cache that has just become full and fifteen thousand further handshakes with other hosts. */
const GROWTH_MAX = 1.25
const HIT_PATH_MAX = 1.2
/** Five names, each asked for anew when the five seconds of its refusal are over. */
const LOOKUPS_MAX = 50

/** Ten thousand hosts with certificates, a cache of a thousand contexts, and strangers who ask for unknown names. */
export async function manyHosts(ca: InternalCa): Promise<void> {
  const server = fork(new URL('./many-hosts-server.ts', import.meta.url), { execArgv: ['--max-semi-space-size=4'] })
  const answer = async <Answer>(question: object): Promise<Answer> => {
    server.send(question)
    return ((await once(server, 'message')) as [Answer])[0]
  }
  const { privateKeyPem: key, chainPem: cert } = await ca.issue(['bench.example.com'])
  const { port } = await answer<{ port: number }>({
    hosts: HOSTS,
    contextsMax: CONTEXTS_MAX,
    key,
    cert,
  } satisfies Setup)

  const cost = (nameOf: (index: number) => string) =>
    cpuMsOfHandshakes(
      server,
      port,
      Array.from({ length: HANDSHAKES }, (_, index) => nameOf(index)),
    )

  console.log(`\n${HOSTS.toLocaleString('en')} hosts, ${CONTEXTS_MAX.toLocaleString('en')} contexts kept`)
  await cost(() => hostOf(1))
  const hot = await cost(() => hostOf(1))
  const readings: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await cost((index) => hostOf((round * HANDSHAKES + index) % HOSTS))
    readings.push(residentMb(server))
  }
  console.log(`  memory while hosts vary      ${readings.map((reading) => reading.toFixed(0)).join(' → ')} MB`)
  const growth = (readings.at(-1) as number) / (readings[1] as number)
  judge(`at the end / when full       ${growth.toFixed(2)}`, growth < GROWTH_MAX)
  const hotAgain = await cost(() => hostOf(1))
  judge(
    `handshake of a known host    ${hot.toFixed(2)} ms before, ${hotAgain.toFixed(2)} ms after all the others`,
    hotAgain < hot * HIT_PATH_MAX,
  )

  const before = await answer<{ lookups: number }>({})
  const refusal = await cost((index) => `stranger-${index % 5}.example.net`)
  const lookups = (await answer<{ lookups: number }>({})).lookups - before.lookups
  judge(
    `${HANDSHAKES} handshakes of strangers  ${refusal.toFixed(2)} ms each, ${lookups} look-ups`,
    lookups < LOOKUPS_MAX,
  )
  server.kill('SIGTERM')
}
