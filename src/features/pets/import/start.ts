import { conflict } from '../../../platform/errors.ts'
import type { Tenant } from '../../../platform/tenant.ts'
import type { Db } from '../../../platform/storage/tables.ts'
import { PrefixHash } from './prefix-hash.ts'
import { findImports, type StoredImport } from './queries.ts'
import type { Position } from './records.ts'
import type { ImportSource } from './source.ts'
import type { ImportKey } from './writes.ts'

export interface ImportStart {
  /** The record of the part that is stored; undefined when nothing of the file is. */
  from: ImportKey | undefined
  position: Position
  animals: number
  /** The whole file is stored already. */
  finished: boolean
  /** Fed with everything before `position`. */
  hash: PrefixHash
  replaces: ImportKey[]
}

interface StartQuestion {
  tenant: Tenant
  source: ImportSource
  format: string
  again: boolean
}

/**
 * Where to begin: behind the part of the file that is stored already. The part is recognised by its bytes, so
 * that a row behind it may be mended meanwhile.
 */
export async function findStart(db: Db, { tenant, source, format, again }: StartQuestion): Promise<ImportStart> {
  const imports = await findImports(db, tenant)
  const stored = await longestStored(imports, source, format)
  if (stored && !(stored.row.finished_at !== null && again)) {
    const { bytes, lines, animals, finished_at } = stored.row
    const finished = finished_at !== null
    return { from: stored.row, position: { bytes, lines }, animals, finished, hash: stored.hash, replaces: [] }
  }
  const abandoned = imports.find((row) => row.finished_at === null && row.source === source.path)
  if (abandoned && !again) throw changedBeginning(abandoned, source)
  return {
    from: undefined,
    position: { bytes: 0, lines: 0 },
    animals: 0,
    finished: false,
    hash: new PrefixHash(format),
    replaces: [stored?.row, abandoned].filter((row) => row !== undefined),
  }
}

/** Files without a path are known by their contents alone. */
export const PIPE = 'a pipe'

async function longestStored(
  imports: StoredImport[],
  source: ImportSource,
  format: string,
): Promise<{ row: StoredImport; hash: PrefixHash } | undefined> {
  for (const row of imports.toReversed()) {
    if (!mayBe(row, source)) continue
    const hash = new PrefixHash(format)
    let read = 0
    for await (const chunk of source.read(0, row.bytes)) {
      hash.add(chunk)
      hash.moveTo((read += chunk.length))
    }
    if (hash.digest() === row.fingerprint) return { row, hash }
  }
  return undefined
}

/**
 * A finished import counts only as a whole: a file that has grown since is another file. An interrupted one is
 * known again when it was mended, which leaves its path, or moved, which leaves its size.
 */
function mayBe(row: StoredImport, source: ImportSource): boolean {
  if (row.finished_at !== null || row.size === source.bytes) return row.size === source.bytes
  return row.source === (source.path ?? PIPE) && row.bytes <= source.bytes
}

function changedBeginning({ animals, lines }: StoredImport, { name }: ImportSource) {
  return conflict(
    `${animals} animals from the beginning of ${name} are stored, and that beginning (its first ${lines} lines) ` +
      'has been changed since. Undo the change there to go on behind it, or add the whole file as new animals ' +
      'with --again.',
  )
}
