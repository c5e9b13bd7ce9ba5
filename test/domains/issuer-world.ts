import type { CaLimits } from '../../src/features/certificates/budget/limits.ts'
import { addDomain, type DomainActor, verifyDomain } from '../../src/features/domains/domains.ts'
import { ManualClock } from '../../src/platform/clock.ts'
import { createScriptedIssuer, type ScriptedIssuer } from './scripted-issuer.ts'
import { createShownRecord, type DomainWorld, openDomainWorld, OPENING, type WorldOptions } from './world.ts'

export const HOST = 'www.example.test'

export interface IssuerWorld extends DomainWorld {
  readonly issuer: ScriptedIssuer
  readonly clock: ManualClock
}

interface IssuerOptions extends WorldOptions {
  limits?: CaLimits
  /** How long its certificates are good. */
  lifeMs?: number
}

/** A world whose authority does what the test says. */
export async function openWithIssuer({ limits, lifeMs, ...options }: IssuerOptions = {}): Promise<IssuerWorld> {
  const clock = new ManualClock(OPENING)
  const issuer = await createScriptedIssuer(clock, lifeMs)
  const caa = { issuerDomains: ['ca.example'], accountUri: null, methods: ['http-01'] }
  const authority = async () => ({ issuer, limits, caa: async () => caa, rootsPem: async () => [] })
  const world = await openDomainWorld({ ...options, clock, authority })
  return Object.assign(world, { issuer, clock })
}

export async function addAndVerify(world: IssuerWorld, hostname = HOST): Promise<DomainActor> {
  const actor = await world.project()
  await createShownRecord(world, await addDomain(world.verbs, actor, { hostname }))
  await verifyDomain(world.verbs, actor, hostname)
  await world.settle()
  return actor
}
