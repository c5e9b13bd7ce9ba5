import { parentPort, workerData } from 'node:worker_threads'
import { openSqlite, type SqliteConnection } from './sqlite-connection.ts'
import type { AnyWrite } from './storage.ts'
import type { WriteJob, WriteResult, WriterData } from './sqlite-messages.ts'

/**
 * The writer thread: owns the only connection that writes, so that a commit (an fsync) never stalls reads.
 * Every batch that arrives becomes one transaction: concurrent creates share its fsync.
 */
const { file, writesModule } = workerData as WriterData
const port = parentPort
if (!port) throw new Error('The writer runs as a worker thread only.')

const { writes } = (await import(writesModule)) as { writes: readonly AnyWrite[] }
const byName = new Map(writes.map((write) => [write.name, write]))
const connection = openSqlite(file, { readOnly: false })

port.on('message', (jobs: WriteJob[] | 'close') => {
  if (jobs === 'close') {
    connection.close()
    port.close()
    return
  }
  void commitBatch(connection, jobs).then((results) => port.postMessage(results))
})
port.postMessage('ready')

async function commitBatch({ raw, db }: SqliteConnection, jobs: WriteJob[]): Promise<WriteResult[]> {
  try {
    raw.exec('begin immediate')
    const results: WriteResult[] = []
    for (const job of jobs) results.push({ id: job.id, ok: true, outcome: await runJob(job) })
    raw.exec('commit')
    return results
  } catch (error) {
    rollback()
    // One bad job must not take its neighbours along: each gets a transaction of its own.
    if (jobs.length > 1 && !isStorageTrouble(error)) {
      const results: WriteResult[] = []
      for (const job of jobs) results.push(...(await commitBatch(connection, [job])))
      return results
    }
    return jobs.map((job) => ({ id: job.id, ok: false, ...describeFailure(error) }))
  }

  function runJob(job: WriteJob): Promise<unknown> {
    const write = byName.get(job.name)
    if (!write) throw new Error(`The write ${job.name} is not in the list of writes.`)
    return write.run(db, job.input, 'sqlite')
  }

  function rollback(): void {
    // A full disk makes SQLite roll back by itself; then there is no transaction left to end.
    if (raw.isTransaction) raw.exec('rollback')
  }
}

/** busy, locked, read-only, interrupted, I/O error, corrupt, full, cannot open, not a database */
const STORAGE_TROUBLE = new Set([5, 6, 8, 9, 10, 11, 13, 14, 26])

function isStorageTrouble(error: unknown): boolean {
  const { errcode } = error as { errcode?: number }
  return typeof errcode === 'number' && STORAGE_TROUBLE.has(errcode & 0xff)
}

function describeFailure(error: unknown): { storageTrouble: boolean; message: string; stack: string } {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { storageTrouble: isStorageTrouble(error), message, stack: stack ?? message }
}
