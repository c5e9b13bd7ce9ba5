import { readConfig } from '../../src/config.ts'
import { openCertificateAuthority } from '../../src/service/certificate-authority.ts'
import { openInstallationCa } from '../../src/features/certificates/authority/installation-ca.ts'
import type { IssuanceOrder } from '../../src/features/certificates/issuer.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openDomainWorld } from './world.ts'

/**
 * One instance as a process of its own. `STOPS` says for each hostname at which point of its order it stops for ever:
 * `made STEP` when the authority has done the step and nobody knows it, `saved STEP` when it is stored. When all have,
 * it dies (SIGKILL) with these orders in its hands.
 */
const { WORLD_DATA = '', WORLD_DATABASE, STOPS = '{}', LEASE_MS = '1000', ...environment } = process.env
const stops = new Map(Object.entries(JSON.parse(STOPS) as Record<string, string>))

async function pass(point: 'made' | 'saved', { names, step }: IssuanceOrder): Promise<void> {
  const hostname = names.find((name) => stops.get(name) === `${point} ${step}`)
  if (hostname === undefined) return
  stops.delete(hostname)
  if (stops.size === 0) process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}

await openDomainWorld({
  clock: systemClock,
  dataDirectory: WORLD_DATA,
  databaseUrl: WORLD_DATABASE,
  leaseMs: Number(LEASE_MS),
  environment: {
    PETSTORE_ACME_DIRECTORY: environment.PETSTORE_ACME_DIRECTORY ?? '',
    PETSTORE_ACME_CA_FILE: environment.PETSTORE_ACME_CA_FILE ?? '',
    PETSTORE_SANDBOX: 'on',
  },
  async authority({ storage, clock, vault }) {
    const write = storage.write.bind(storage)
    storage.write = async (what, input) => {
      const outcome = await write(what, input)
      const { order } = input as { order?: IssuanceOrder }
      if (order) await pass('saved', order)
      return outcome
    }
    const ca = openInstallationCa({ storage, clock, vault, crlUrl: undefined })
    const world = { config: readConfig(environment), storage, clock, vault, ca, random: Math.random }
    const authority = await openCertificateAuthority(world)
    const { issuer } = authority
    const advance: typeof issuer.advance = async (order, signal) => {
      const outcome = await issuer.advance(order, signal)
      await pass('made', outcome.order)
      return outcome
    }
    return { ...authority, issuer: { ...issuer, advance } }
  },
})
process.stdout.write('ready\n')
