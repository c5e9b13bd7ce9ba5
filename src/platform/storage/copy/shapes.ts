import { sql } from 'kysely'
import type { Db, Engine } from '../tables.ts'

/** One side of a copy: a connection inside of a transaction, which holds one moment of the database. */
export interface Side {
  readonly db: Db
  readonly engine: Engine
}

export interface TableShape {
  readonly name: string
  readonly columns: readonly { name: string; kind: ColumnKind }[]
}

/** What the engines call the kinds of values that they share; another kind needs a rule how it is copied. */
const KINDS = {
  integer: ['bigint', 'integer', 'int8', 'int4', 'int2'],
  text: ['text'],
  bytes: ['blob', 'bytea'],
  boolean: ['boolean', 'bool'],
} as const

export type ColumnKind = keyof typeof KINDS

/**
 * What an engine keeps for itself: the numbers that are given next (sequences on PostgreSQL: see `sequences.ts`), and
 * counts of changes and what is shown of animals, which SQLite makes by triggers; what is left of limits, which is
 * whole again after minutes; and who serves, which each says again by itself.
 */
const NOT_COPIED = new Set(['sequences', 'resource_versions', 'pets_shown', 'limit_levels', 'instances'])

/** Whose rows make triggers write more of them: while it is empty, everything else comes and goes in silence. */
const LAST = 'outbox_subscriptions'

/**
 * Every table with data, as the database itself describes it, so that none can be forgotten; those that others refer
 * to come first. The record of migrations is not among them: both sides have run the same.
 */
export async function tableShapes({ db, engine }: Side): Promise<TableShape[]> {
  const { rows } = await (engine === 'postgres' ? POSTGRES_COLUMNS : SQLITE_COLUMNS).execute(db)
  const columns = Map.groupBy(
    rows.filter(({ table }) => !NOT_COPIED.has(table)),
    ({ table }) => table,
  )
  const shapes = [...columns].map(([name, own]) => ({
    name,
    columns: own.map(({ column, type }) => ({ name: column, kind: kindOf(type, `${name}.${column}`) })),
  }))
  return referredFirst(shapes, await (engine === 'postgres' ? POSTGRES_REFERENCES : SQLITE_REFERENCES).execute(db))
}

export function kindOf(type: string, column: string): ColumnKind {
  const kinds = Object.keys(KINDS) as ColumnKind[]
  const kind = kinds.find((known) => (KINDS[known] as readonly string[]).includes(type.toLowerCase()))
  if (kind) return kind
  throw new Error(`Nobody has said how values of the type ${type} are copied, which ${column} has.`)
}

interface Column {
  table: string
  column: string
  type: string
}

const SQLITE_COLUMNS = sql<Column>`
  select m.name as "table", c.name as "column", c.type as "type"
  from sqlite_master m, pragma_table_info(m.name) c
  where m.type = 'table' and m.name not like 'sqlite~_%' escape '~' and m.name not like 'kysely~_%' escape '~'
  order by m.name, c.name`

const POSTGRES_COLUMNS = sql<Column>`
  select c.relname as "table", a.attname as "column", t.typname as "type"
  from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
    and a.attnum > 0 and not a.attisdropped and c.relname not like 'kysely~_%' escape '~'
  order by c.relname collate "C", a.attname collate "C"`

interface Reference {
  from: string
  to: string
}

const SQLITE_REFERENCES = sql<Reference>`
  select m.name as "from", f."table" as "to" from sqlite_master m, pragma_foreign_key_list(m.name) f
  where m.type = 'table'`

const POSTGRES_REFERENCES = sql<Reference>`
  select f.relname as "from", t.relname as "to"
  from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
  where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`

function referredFirst(shapes: readonly TableShape[], { rows }: { rows: readonly Reference[] }): TableShape[] {
  const ordered = new Set<TableShape>()
  const visit = (shape: TableShape, path: readonly TableShape[]) => {
    if (ordered.has(shape) || path.includes(shape)) return
    const needs = new Set(rows.filter(({ from }) => from === shape.name).map(({ to }) => to))
    for (const needed of shapes) if (needs.has(needed.name)) visit(needed, [...path, shape])
    ordered.add(shape)
  }
  for (const shape of shapes) visit(shape, [])
  return [...ordered].sort((a, b) => Number(a.name === LAST) - Number(b.name === LAST))
}
