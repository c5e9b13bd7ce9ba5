import './tables.ts'
import type { Selectable } from 'kysely'
import { SECOND_MS, DAY_MS, type Clock } from '../clock.ts'
import { iso } from '../iso-date.ts'
import { defineWrite, type Storage } from '../storage/storage.ts'
import type { Db, Engine, Tables } from '../storage/tables.ts'
import { databaseNow } from './lease.ts'

/** What a worker has done since it began. */
interface Served {
  requests: number
  /** Of these, those that the service could not answer: 500 and above. */
  errors: number
}

interface PresenceNeeds {
  storage: Storage
  clock: Clock
  /** The same after a restart, so that people know it again. */
  name: string
  version: string
  served(): Served
  onError(error: unknown): void
}

export interface Presence extends AsyncDisposable {
  /** This worker does the work in the background from now on. */
  lead(): Promise<void>
}

/** One small write in 15 s by each worker: nobody waits for it, and the disk of a laptop hardly notices. */
const BEAT_MS = 15 * SECOND_MS
/** Two signs of life may be lost. */
const SILENT_AFTER_MS = 3 * BEAT_MS
/** After this nobody asks any more what became of an instance. */
const FORGOTTEN_AFTER_MS = DAY_MS

type InstanceRow = Selectable<Tables['instances']>
type Sign = Omit<InstanceRow, 'seen_at'>

const beat = defineWrite('work.beat', async (db, sign: Sign, engine) => {
  const row = { ...sign, seen_at: databaseNow(engine) }
  await db
    .insertInto('instances')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
})

const leave = defineWrite('work.leave', async (db, { id }: { id: string }) => {
  await db.deleteFrom('instances').where('id', '=', id).execute()
})

/** Says again and again that this worker lives, and how it is; takes it off the list when it ends in order. */
export async function announcePresence(needs: PresenceNeeds): Promise<Presence> {
  const { storage, clock, name, version, served, onError } = needs
  const startedAt = clock.now()
  const stop = new AbortController()
  let leadsSince: number | null = null
  let busySince = performance.eventLoopUtilization()

  const say = async () => {
    const { utilization } = performance.eventLoopUtilization(busySince)
    busySince = performance.eventLoopUtilization()
    const { requests, errors } = served()
    await storage.write(beat, {
      id: storage.instance,
      name,
      process_id: process.pid,
      version,
      started_at: startedAt,
      leads_since: leadsSince,
      requests,
      errors,
      // Of the whole process, which its workers share.
      memory_bytes: process.memoryUsage.rss(),
      busy_percent: Math.round(utilization * 100),
    })
  }
  // Who cannot say so serves all the same.
  await say().catch(onError)
  const running = (async () => {
    while (!stop.signal.aborted) {
      await clock.sleep(BEAT_MS, stop.signal)
      if (!stop.signal.aborted) await say().catch(onError)
    }
  })()

  return {
    async lead() {
      leadsSince = clock.now()
      await say().catch(onError)
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running
      await storage.write(leave, { id: storage.instance }).catch(() => {})
    },
  }
}

export async function forgetInstances(db: Db, engine: Engine): Promise<void> {
  await db
    .deleteFrom('instances')
    .where('seen_at', '<', (eb) => eb(databaseNow(engine), '-', FORGOTTEN_AFTER_MS))
    .execute()
}

/** One process of the service, with all of its workers. */
export interface InstanceView {
  name: string
  processId: number
  version: string
  startedAt: string
  seenAt: string
  /** Silent: it has said nothing for three beats, and has not ended in order. */
  state: 'serving' | 'silent'
  workers: number
  /** Whether one of its workers does the work in the background. */
  leads: boolean
  /** Pieces of work that it has under way. */
  leases: number
  /** Since it began. */
  requests: number
  errors: number
  memoryBytes: number
  /** How busy its busiest worker was of late. */
  busyPercent: number
}

/** Every process that serves, and those that fell silent without a successor of their name. */
export async function listInstances({ read, engine }: Pick<Storage, 'read' | 'engine'>): Promise<InstanceView[]> {
  const [rows, leases] = await Promise.all([
    read
      .selectFrom('instances')
      .selectAll()
      .select(databaseNow(engine).as('now'))
      .orderBy('name')
      .orderBy('started_at')
      .execute(),
    read
      .selectFrom('work')
      .select('owner')
      .where('owner', 'is not', null)
      .where('leased_until', '>', databaseNow(engine))
      .execute(),
  ])
  const leasesOf = Map.groupBy(leases, ({ owner }) => (owner as string).split('/')[0] as string)
  const isSilent = ({ seen_at, now }: InstanceRow & { now: number }) => now - seen_at > SILENT_AFTER_MS
  const living = new Set(rows.filter((row) => !isSilent(row)).map(({ name }) => name))
  const shown = rows.filter((row) => !isSilent(row) || !living.has(row.name))
  return [...Map.groupBy(shown, ({ name, process_id }) => `${name} ${process_id}`).values()].map((workers) => {
    const [first] = workers as [(typeof workers)[number]]
    const sum = (of: (row: InstanceRow) => number) => workers.reduce((total, row) => total + of(row), 0)
    const most = (of: (row: InstanceRow) => number) => Math.max(...workers.map(of))
    return {
      name: first.name,
      processId: first.process_id,
      version: first.version,
      startedAt: iso(first.started_at),
      seenAt: iso(most(({ seen_at }) => seen_at)),
      state: isSilent(first) ? 'silent' : 'serving',
      workers: workers.length,
      leads: workers.some(({ leads_since }) => leads_since !== null),
      leases: sum(({ id }) => leasesOf.get(id)?.length ?? 0),
      requests: sum(({ requests }) => requests),
      errors: sum(({ errors }) => errors),
      memoryBytes: most(({ memory_bytes }) => memory_bytes),
      busyPercent: most(({ busy_percent }) => busy_percent),
    }
  })
}
