import { readConfig } from '../../src/config.ts'
import { openCertificateAuthority } from '../../src/service/certificate-authority.ts'
import { openInstallationCa } from '../../src/features/certificates/authority/installation-ca.ts'
import type { IssuanceOrder } from '../../src/features/certificates/issuer.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openDomainWorld } from './world.ts'

/**
 * One instance as a process of its own, which dies (SIGKILL) at a given point of an order:
 * `made STEP` when the authority has done the step and nobody knows it, `saved STEP` when it is stored.
 */
const { WORLD_DATA = '', WORLD_DATABASE, DIE_AT = '', DIE_FOR = '', LEASE_MS = '1000', ...environment } = process.env

const die = () => process.kill(process.pid, 'SIGKILL')
const isTime = (point: string, { names, step }: IssuanceOrder) =>
  `${point} ${step}` === DIE_AT && names.includes(DIE_FOR)

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
      if (order && isTime('saved', order)) die()
      return outcome
    }
    const ca = openInstallationCa({ storage, clock, vault, crlUrl: undefined })
    const world = { config: readConfig(environment), storage, clock, vault, ca, random: Math.random }
    const authority = await openCertificateAuthority(world)
    const { issuer } = authority
    const advance: typeof issuer.advance = async (order, signal) => {
      const outcome = await issuer.advance(order, signal)
      if (isTime('made', outcome.order)) die()
      return outcome
    }
    return { ...authority, issuer: { ...issuer, advance } }
  },
})
process.stdout.write('ready\n')
