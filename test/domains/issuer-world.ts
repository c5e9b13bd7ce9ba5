import type { CaLimits } from '../../src/features/certificates/budget/limits.ts'
import { addDomain, type DomainActor, verifyDomain } from '../../src/features/domains/domains.ts'
import { ManualClock } from '../../src/platform/clock.ts'
import { createScriptedIssuer, type ScriptedIssuer } from './scripted-issuer.ts'
import { createShownRecord, type DomainWorld, openDomainWorld, OPENING, point, type WorldOptions } from './world.ts'

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

export interface TwoIssuersWorld extends IssuerWorld {
  /** The authority that takes over when the first fails. */
  readonly second: ScriptedIssuer
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

/** The same with two authorities, each with its own limits. */
export async function openWithTwoIssuers(
  options: IssuerOptions & { secondLimits?: CaLimits } = {},
): Promise<TwoIssuersWorld> {
  const { limits, secondLimits, lifeMs, ...rest } = options
  const clock = new ManualClock(OPENING)
  const issuer = await createScriptedIssuer(clock, lifeMs)
  const second = await createScriptedIssuer(clock, lifeMs, 'https://second.example.test/dir')
  const named = (domain: string) => ({ issuerDomains: [domain], accountUri: null, methods: ['http-01'] })
  const caa = { ...named('ca.example'), fallback: named('second.example') }
  const fallback = { issuer: second, limits: secondLimits }
  const authority = async () => ({ issuer, limits, fallback, caa: async () => caa, rootsPem: async () => [] })
  const world = await openDomainWorld({ ...rest, clock, authority })
  return Object.assign(world, { issuer, second, clock })
}

/** `inDns`: its challenges are delegated to us too, so that dns-01 comes first. */
export async function addAndVerify(
  world: IssuerWorld,
  hostname = HOST,
  { inDns = false }: { inDns?: boolean } = {},
): Promise<DomainActor> {
  const actor = await world.project()
  const added = await addDomain(world.verbs, actor, { hostname })
  await createShownRecord(world, added)
  const { challenge } = added.record
  if (inDns && challenge) await point(world, challenge.name, challenge.type, challenge.value)
  await verifyDomain(world.verbs, actor, hostname)
  await world.settle()
  return actor
}
