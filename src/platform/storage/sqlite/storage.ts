import { randomInt, randomUUID } from 'node:crypto'
import type { MessagePort } from 'node:worker_threads'
import type { StatementSync } from 'node:sqlite'
import { NothingChanged, unconfirmed } from '../../errors.ts'
import { BatchQueue } from '../batch-queue.ts'
import { SqliteChannel, SqliteFailure, WriterDied } from './channel.ts'
import { openSqlite } from './connection.ts'
import { FIND_VERSION } from '../resource-versions.ts'
import type { Tenant } from '../../tenant.ts'
import type { Storage, Write } from '../storage.ts'
import type { Db } from '../tables.ts'

/** Bounds the wait of the first write in a commit for the last one. */
const COMMIT_WRITES_MAX = 128
/** Beyond this the disk cannot keep up, and an early 503 is kinder than a late one. */
const PENDING_MAX = 20_000
const VERSIONS_MAX = 10_000

interface Job {
  run(db: Db): Promise<unknown>
  /** Its statements are all given at once: the commit need not wait for what they answer. */
  readonly isOneTrip: boolean
  resolve(outcome: unknown): void
  reject(error: unknown): void
}

/**
 * SQLite in this process: reads on this thread, every write on the writer thread. Should that thread end, nothing can
 * be written any more, and `onDeath` has to end the process.
 */
export async function openSqliteStorage(
  file: string,
  onDeath: (error: Error) => void,
  writer?: MessagePort,
): Promise<Storage> {
  const channel = await SqliteChannel.open(file, onDeath, writer)
  const reader = openSqlite(file, { readOnly: true })
  const dataVersion = reader.raw.prepare('pragma data_version')
  const batches = new Map<string, BatchQueue>()
  let jobs: Job[] = []
  let committing: Promise<void> | undefined
  let pending = 0
  let version: number | undefined
  let findVersion: StatementSync | undefined
  /** As of one version of the whole file: after a commit of anybody, each is looked up again when it is asked for. */
  const versions = { of: undefined as number | undefined, known: new Map<Tenant, Map<string, number>>() }

  const enqueue = (run: Job['run'], isOneTrip = false): Promise<unknown> =>
    new Promise((resolve, reject) => {
      jobs.push({ run, isOneTrip, resolve, reject })
      committing ??= commitAll()
    })

  /** While one commit is on its way to the disk, the next writes gather: they share the one after it. */
  async function commitAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (jobs.length > 0) {
      const sharing = jobs.splice(0, COMMIT_WRITES_MAX)
      await commitTogether(channel, sharing, seeAnew)
    }
    committing = undefined
  }

  /** What has been acknowledged here is seen at once. */
  function seeAnew(): void {
    version = undefined
    reader.snapshot.leave()
  }

  function currentVersion(): number {
    if (version === undefined) {
      reader.snapshot.take()
      version = (dataVersion.get() as { data_version: number }).data_version
      // 3 µs are worth sharing: requests of one turn of the event loop use one answer.
      setImmediate(() => (version = undefined))
    }
    return version
  }

  return {
    engine: 'sqlite',
    instance: randomUUID(),
    read: reader.db,

    async write<Input, Outcome>(write: Write<Input, Outcome>, input: Input): Promise<Outcome> {
      if (pending >= PENDING_MAX) {
        throw new NothingChanged('Too many writes are waiting for the disk')
      }
      pending++
      try {
        const { runMany, oneStatement } = write
        if (!runMany) return (await enqueue((db) => write.run(db, input, 'sqlite'))) as Outcome
        let batch = batches.get(write.name)
        if (!batch) {
          const runBatch = (inputs: unknown[]) =>
            enqueue((db) => runMany(db, inputs as Input[], 'sqlite'), oneStatement)
          batch = new BatchQueue(runBatch as (inputs: unknown[]) => Promise<unknown[]>)
          batches.set(write.name, batch)
        }
        return (await batch.add(input)) as Outcome
      } finally {
        pending--
      }
    },

    version: currentVersion,

    versionOf(resource, tenant) {
      const now = currentVersion()
      if (now !== versions.of || versions.known.size >= VERSIONS_MAX) {
        versions.of = now
        versions.known.clear()
      }
      // By the object, which a key keeps as long as it is known: finding it costs no text to build.
      let known = versions.known.get(tenant)
      if (!known) versions.known.set(tenant, (known = new Map()))
      let found = known.get(resource)
      if (found === undefined) {
        const { projectId, environment } = tenant
        reader.snapshot.take()
        findVersion ??= reader.raw.prepare(FIND_VERSION)
        const row = findVersion.get(resource, projectId, environment) as { version: number } | undefined
        found = row?.version ?? 0
        known.set(resource, found)
      }
      return found
    },

    async [Symbol.asyncDispose]() {
      // At least one turn: reads that have been asked for are answered before their connection closes.
      do await new Promise((resolve) => setImmediate(resolve))
      while (pending > 0)
      // The writer last: the last connection that may write takes the -wal and -shm files away.
      reader.close()
      await channel.close()
    },
  }
}

/** One transaction for all of them; each is undone alone when it fails, and answered once all are on the disk. */
async function commitTogether(channel: SqliteChannel, jobs: Job[], committed: () => void): Promise<void> {
  const settled: (() => void)[] = []
  let commit: Promise<unknown> | undefined
  let isCommitting = false
  channel.control('begin immediate')
  try {
    for (const job of jobs) {
      if (jobs.length > 1) channel.control('savepoint one_write')
      try {
        const running = job.run(channel.db)
        // A statement that took kysely's way comes later, and its commit with it.
        if (jobs.length === 1 && job.isOneTrip && channel.isLoaded) commit = committing(channel)
        const outcome = await running
        settled.push(() => job.resolve(outcome))
        if (jobs.length > 1) channel.control('release one_write')
      } catch (error) {
        if (endsTransaction(error)) throw error
        settled.push(() => job.reject(error))
        channel.control(jobs.length > 1 ? 'rollback to one_write; release one_write' : 'rollback; begin')
        // It went no further than to the statement that failed.
        commit = undefined
      }
    }
    isCommitting = true
    await (commit ?? committing(channel))
    committed()
    for (const settle of settled) settle()
  } catch (error) {
    // A full disk makes SQLite roll back by itself; then there is no transaction left to end.
    if (!(error instanceof SqliteFailure) || error.inTransaction) {
      await channel.execute('rollback').catch(() => {})
    }
    isCommitting ||= commit !== undefined && error instanceof WriterDied
    const mayBeStored = isCommitting && mayHaveReachedDisk(error) && !(await takeItsPlace(channel))
    const answer = mayBeStored ? notConfirmed(error) : cannotWrite(error) ? notStored(error) : error
    for (const job of jobs) job.reject(answer)
  }
}

function committing(channel: SqliteChannel): Promise<unknown> {
  channel.control('commit')
  const commit = channel.execute(undefined)
  // Whoever waits for it is told; before that, a statement that it travels with may fail and be told instead.
  commit.catch(() => {})
  return commit
}

const endsTransaction = (error: unknown) =>
  error instanceof WriterDied || (error instanceof SqliteFailure && (error.isStorageTrouble || !error.inTransaction))

const cannotWrite = (error: unknown) =>
  error instanceof WriterDied || (error instanceof SqliteFailure && error.isStorageTrouble)

/** A commit that was written whole and not synced is found in the log by the next start, if it comes soon. */
const mayHaveReachedDisk = (error: unknown) =>
  error instanceof WriterDied || (error instanceof SqliteFailure && error.isIoError)

/**
 * A commit of one page, which is written over the failed one in the log: frames count only behind those that they were
 * written after. Once it is on the disk, nothing of the failed one can come back.
 */
async function takeItsPlace(channel: SqliteChannel): Promise<boolean> {
  // Nothing else uses this number; a new value makes the page differ.
  channel.control(`begin immediate; pragma user_version = ${randomInt(2 ** 31 - 1)}; commit`)
  try {
    await channel.execute(undefined)
    return true
  } catch {
    await channel.execute('rollback').catch(() => {})
    return false
  }
}

const notStored = (cause: unknown) => new NothingChanged('The database cannot be written right now', cause)

const notConfirmed = (cause: unknown) => unconfirmed('The disk failed while this request was being stored', cause)
