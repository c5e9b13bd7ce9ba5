import type { Environment } from '../../../api/projects.ts'
import { markImport } from './import-mark.ts'
import type { Columns, ImportFormat } from './read-file.ts'

/** An import that is under way, with its file: a browser lets nobody read a file again after a reload. */
export interface KeptImport {
  /** Of whoever began it. */
  account: string
  slug: string
  environment: Environment
  /** Names the file and how it is read; see `fingerprintOf`. */
  sha256: string
  name: string
  format: ImportFormat
  columns: Columns
  /** What earlier runs have added of it; absent in what was kept before 2026-11-18. */
  animalsBefore?: number
  file: Blob
}

const NAME = 'petstore-imports'
const STORE = 'imports'
const KEY = 'current'

/** Where the browser keeps nothing, an import still runs, and a reload ends it. */
export async function keepImport(kept: KeptImport): Promise<void> {
  try {
    await inStore('readwrite', (store) => store.put(kept, KEY))
    markImport(kept.account)
  } catch {
    // Nothing but the resuming depends on it.
  }
}

export async function keptImport(): Promise<KeptImport | undefined> {
  return inStore<KeptImport | undefined>('readonly', (store) => store.get(KEY)).catch(() => undefined)
}

export async function forgetImport(): Promise<void> {
  try {
    markImport(null)
    await inStore('readwrite', (store) => store.delete(KEY))
  } catch {
    // Then nothing was kept.
  }
}

function inStore<Value>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest): Promise<Value> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, 1)
    const fail = () => reject(opening.error)
    opening.addEventListener('upgradeneeded', () => void opening.result.createObjectStore(STORE))
    opening.addEventListener('error', fail)
    opening.addEventListener('success', () => {
      const transaction = opening.result.transaction(STORE, mode)
      const asked = ask(transaction.objectStore(STORE))
      transaction.addEventListener('complete', () => {
        opening.result.close()
        resolve(asked.result as Value)
      })
      transaction.addEventListener('error', fail)
      transaction.addEventListener('abort', fail)
    })
  })
}
