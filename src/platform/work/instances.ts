import './tables.ts'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { databaseFile, lockStart } from '../storage/open.ts'
import type { Storage } from '../storage/storage.ts'

/** The token of one lease, which begins with the instance that took it. */
export const ownerToken = (instance: string) => `${instance}/${randomUUID()}`

/**
 * Takes this process into the list of those that live in a data directory, and gives back the leases of all that do
 * not: their work goes on at once instead of when the leases run out. Each has a file there, locked for as long as it
 * lives; the lock ends with its process, however that ends.
 */
export function joinInstances({ instance }: Pick<Storage, 'instance'>, dataDirectory: string): Disposable {
  const directory = join(dataDirectory, 'instances')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // One after the other: nobody is taken for dead between making its file and locking it.
  using _turn = lockStart(dataDirectory)
  const living = livingInstances(dataDirectory)
  const file = join(directory, instance)
  const lock = lockAlone(file)
  releaseLeases(databaseFile(dataDirectory), living)
  return {
    [Symbol.dispose]() {
      lock?.close()
      rmSync(file, { force: true })
    },
  }
}

/** Those that live in a data directory. Takes the files of the dead away: ask while `lockStart` is held. */
export function livingInstances(dataDirectory: string): string[] {
  const directory = join(dataDirectory, 'instances')
  if (!existsSync(directory)) return []
  return readdirSync(directory).filter((name) => {
    const lock = lockAlone(join(directory, name))
    if (lock === undefined) return true
    lock.close()
    rmSync(join(directory, name))
    return false
  })
}

function lockAlone(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    // In memory: nothing is ever written, and a journal beside the file would be taken for an instance.
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch {
    lock.close()
    return undefined
  }
}

/** On a connection of its own, without a pause: whoever starts in the same process would wait for the turn for ever. */
function releaseLeases(file: string, living: readonly string[]): void {
  using database = new DatabaseSync(file, { timeout: 5000 })
  database
    .prepare(
      `update work set owner = null, leased_until = null
       where owner is not null and substr(owner, 1, instr(owner, '/') - 1) not in (select value from json_each(?))`,
    )
    .run(JSON.stringify(living))
}
