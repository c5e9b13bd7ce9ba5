import { conflict } from '../../../platform/errors.ts'
import type { Tenant } from '../../../platform/http/idempotency.ts'
import type { Db } from '../../../platform/storage/tables.ts'
import { PrefixHash } from './prefix-hash.ts'
import { findImports, type ImportRow } from './queries.ts'
import type { Position } from './records.ts'
import type { ImportSource } from './source.ts'

export interface ImportStart {
  /** The fingerprint of the part that is stored; undefined when nothing of the file is. */
  fingerprint: string | undefined
  position: Position
  animals: number
  /** The whole file is stored already. */
  finished: boolean
  /** Fed with everything before `position`. */
  hash: PrefixHash
  replaces: string[]
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
    const { fingerprint, bytes, lines, animals, finished_at } = stored.row
    const finished = finished_at !== null
    return { fingerprint, position: { bytes, lines }, animals, finished, hash: stored.hash, replaces: [] }
  }
  const abandoned = imports.find((row) => row.finished_at === null && row.source !== null && row.source === source.path)
  if (abandoned && !again) {
    throw conflict(
      `${abandoned.animals} animals from the beginning of ${source.name} are stored, and that beginning has been changed ` +
        `since (its first ${abandoned.lines} lines). Undo the change there to go on behind it, or add the whole file as ` +
        'new animals with --again.',
    )
  }
  return {
    fingerprint: undefined,
    position: { bytes: 0, lines: 0 },
    animals: 0,
    finished: false,
    hash: new PrefixHash(format),
    replaces: [stored?.row, abandoned].flatMap((row) => (row ? [row.fingerprint] : [])),
  }
}

/** A finished import counts only as a whole: a file that has grown since is another file. */
async function longestStored(
  imports: ImportRow[],
  source: ImportSource,
  format: string,
): Promise<{ row: ImportRow; hash: PrefixHash } | undefined> {
  const candidates = imports.filter((row) => (row.finished_at === null ? row.bytes <= source.bytes : row.bytes === source.bytes))
  for (const row of candidates.toReversed()) {
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
