import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { insertRows } from '../rows/insert-rows.ts'
import { takeTurn } from '../turns.ts'
import { Fingerprint } from './fingerprint.ts'
import { countRows, MARK, readRows, type Row } from './rows.ts'
import { readSequences, writeSequences } from './sequences.ts'
import { type Side, type TableShape, tableShapes } from './shapes.ts'

export interface CopiedTable {
  readonly table: string
  readonly rows: number
  /** Of the rows, in any order. */
  readonly sha256: string
}

export interface CopyProgress {
  readonly phase: 'copying' | 'checking'
  readonly table: string
  readonly rows: number
  readonly total: number
}

/** Why nothing was copied, as a sentence that says what to do. */
export class CopyRefused extends Error {}

/**
 * Copies every row of every table, reads all of it again on the other side, and compares count and hash of each table.
 * Both sides have the same schema. The caller's transaction makes it all or nothing.
 */
export async function copyEverything(
  from: Side,
  to: Side,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopiedTable[]> {
  const shapes = await tableShapes(to)
  requireSame(await tableShapes(from), shapes)
  await takeTurn(to.db, to.engine, 'copy')
  await makeRoom(to, shapes)
  let total = 0
  for (const shape of shapes) total += await countRows(from, shape)

  const copied = await throughAll('copying', from, shapes, async (shape, rows) => {
    await insertRows(to.db, shape.name as never, rows.map((row) => withBooleans(row, shape, to)) as never)
  })
  await writeSequences(to, await readSequences(from))
  const found = await throughAll('checking', to, shapes)
  for (const [index, { table, rows, sha256 }] of copied.entries()) {
    if (found[index]?.sha256 === sha256) continue
    throw new Error(`The copy of ${table} is not like the original: ${rows} rows there, ${found[index]?.rows} here.`)
  }
  await to.db
    .insertInto('settings')
    .values({ name: MARK, value: digestOf(copied) })
    .execute()
  return copied

  async function throughAll(
    phase: CopyProgress['phase'],
    side: Side,
    tables: readonly TableShape[],
    each?: (shape: TableShape, rows: Row[]) => Promise<void>,
  ): Promise<CopiedTable[]> {
    let done = 0
    const passed: CopiedTable[] = []
    for (const shape of tables) {
      onProgress({ phase, table: shape.name, rows: done, total })
      passed.push(
        await passThrough(side, shape, async (rows) => {
          await each?.(shape, rows)
          done += rows.length
          onProgress({ phase, table: shape.name, rows: done, total })
        }),
      )
    }
    return passed
  }
}

function requireSame(from: readonly TableShape[], to: readonly TableShape[]): void {
  const describe = (shapes: readonly TableShape[]) =>
    JSON.stringify(shapes.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
  if (describe(from) !== describe(to)) throw new Error('The two databases do not have the same tables and columns.')
}

async function passThrough(side: Side, shape: TableShape, each?: (rows: Row[]) => Promise<void>): Promise<CopiedTable> {
  const fingerprint = new Fingerprint(shape)
  for await (const rows of readRows(side, shape)) {
    for (const row of rows) fingerprint.add(row)
    await each?.(rows)
  }
  return { table: shape.name, rows: fingerprint.rows, sha256: fingerprint.digest() }
}

function withBooleans(row: Row, { columns }: TableShape, { engine }: Side): Row {
  if (engine === 'sqlite' || !columns.some(({ kind }) => kind === 'boolean')) return row
  const entries = columns.map(({ name, kind }) => [name, kind === 'boolean' ? asBoolean(row[name]) : row[name]])
  return Object.fromEntries(entries) as Row
}

const asBoolean = (value: unknown) => (value === null ? null : Boolean(value))

/** An earlier copy may go, as long as nobody has used it; whatever else is there may not. */
async function makeRoom(to: Side, shapes: readonly TableShape[]): Promise<void> {
  const used: string[] = []
  for (const shape of shapes) if ((await countRows(to, shape)) > 0) used.push(shape.name)
  if (used.length === 0) return
  const mark = await to.db.selectFrom('settings').select('value').where('name', '=', MARK).executeTakeFirst()
  const found: CopiedTable[] = []
  if (mark) for (const shape of shapes) found.push(await passThrough(to, shape))
  if (mark?.value !== digestOf(found)) {
    throw new CopyRefused(`The target holds other data (${someOf(used)}). Nothing was changed: give an empty one.`)
  }
  for (const shape of shapes.toReversed()) await sql`delete from ${sql.table(shape.name)}`.execute(to.db)
}

const digestOf = (tables: readonly CopiedTable[]) =>
  hash('sha256', JSON.stringify(tables.map(({ sha256 }) => sha256).toSorted()))

const someOf = (names: readonly string[]) => names.slice(0, 5).join(', ') + (names.length > 5 ? ', …' : '')
