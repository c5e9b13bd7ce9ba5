import { stringifyExact } from '../../../../../client/src/int64.ts'
import type { NewPet } from '../../../../../client/src/platform/platform.ts'
import { type Columns, judgeRow, type ReadFile } from './read-file.ts'

/** What one request takes: a thousand animals, and 64 KiB with what stands around them. */
const ANIMALS_MAX = 1000
const BYTES_MAX = 60_000

export interface FilePart {
  after: number
  through: number
  animals: NewPet[]
  last: boolean
}

/** The next rows behind a place in the file, as many as a request takes; those that are refused are left out. */
export function partAfter(file: ReadFile, columns: Columns, after: number): FilePart {
  const animals: NewPet[] = []
  let through = after
  let bytes = 0
  for (; through < file.rows.length && animals.length < ANIMALS_MAX; through++) {
    const judged = judgeRow(file, columns, file.rows[through] as ReadFile['rows'][number])
    if (!('pet' in judged)) continue
    bytes += new TextEncoder().encode(stringifyExact(judged.pet)).length + 1
    if (bytes > BYTES_MAX) break
    animals.push(judged.pet)
  }
  return { after, through, animals, last: through === file.rows.length }
}
