import assert from 'node:assert/strict'
import { storageOf, type Tell } from '../../src/features/audit/audited.ts'
import { SYSTEM } from '../../src/features/audit/record.ts'
import { watchRound, type WatchNeeds } from '../../src/features/certificates/watching/watch.ts'
import { listNotifications } from '../../src/features/domains/notifications/notifications.ts'
import { MINUTE_MS } from '../../src/platform/clock.ts'
import type { IssuerWorld } from './issuer-world.ts'
import type { WorldEdge } from './world-edge.ts'

const EVERY_MS = 15 * MINUTE_MS

const NO_PLATFORM: WatchNeeds['platform'] = {
  names: async () => [],
  chainAt: async () => undefined,
  onProblem: () => assert.fail('there is none'),
}

/** One round of an instance, which waits for nothing. */
export function watch(
  world: IssuerWorld,
  instance: string,
  { port }: WorldEdge,
  platform: WatchNeeds['platform'] = NO_PLATFORM,
  tell?: Tell,
): Promise<void> {
  const clock = { now: () => world.clock.now(), sleep: async () => {} }
  const needs = {
    storage: storageOf(world.storage, SYSTEM, clock, tell),
    clock,
    instance,
    edge: { address: '127.0.0.1', port, publicPort: 443 },
    platform,
    onError: (error: unknown) => assert.fail(error as Error),
  }
  return watchRound(needs, { everyMs: EVERY_MS }, new AbortController().signal)
}

export async function toldOf(world: IssuerWorld, projectId: number, ...kinds: string[]): Promise<string[]> {
  const { notifications } = await listNotifications(world.verbs, projectId)
  return notifications.map(({ kind }) => kind).filter((kind) => kinds.includes(kind))
}

export async function verbsOf(world: IssuerWorld, pattern: RegExp): Promise<string[]> {
  const rows = await world.storage.read.selectFrom('audit_entries').select('verb').orderBy('id').execute()
  return rows.map(({ verb }) => verb).filter((verb) => pattern.test(verb))
}
