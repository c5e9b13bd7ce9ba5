import './tables.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Engine } from '../storage/tables.ts'
import { databaseNow } from '../work/lease.ts'
import { AT_ONCE } from './due.ts'
import { OUTBOX_SEQUENCE } from './record.ts'

interface Watched {
  /** A table of tenants' rows. */
  table: string
  /** As types of messages begin: `pet` for `pet.created`. */
  noun: string
  /** What is kept of a row. */
  columns: readonly string[]
  /** A row as JSON, by the names of its columns. */
  json: RawBuilder<string>
}

const EVENTS = [
  ['insert', 'created', 'new'],
  ['update', 'updated', 'new'],
  ['delete', 'deleted', 'old'],
] as const

/**
 * Tells subscribers of every change to the rows of a table. By triggers, and so in the transaction that makes the
 * change, whichever request, import, process or version makes it. Again, after a migration has added a column: the
 * triggers know the columns of the moment.
 *
 * Where nobody has subscribed, an animal that is added costs one look at an index: see docs/decisions on webhooks.
 */
export async function tellChanges(db: Db, engine: Engine, watched: Watched): Promise<void> {
  for (const event of EVENTS) {
    await (engine === 'sqlite' ? tellOnSqlite : tellOnPostgres)(db, watched, event)
  }
}

const INTO = sql`insert into outbox_messages
  (subscriber, seq, id, project_id, type, environment, resource, data, created_at, due_at)`

/** For each row, because SQLite has no other triggers: no more than a look where nobody wants to know. */
async function tellOnSqlite(db: Db, watched: Watched, [event, happened, row]: (typeof EVENTS)[number]): Promise<void> {
  const { table, noun, columns, json } = watched
  const name = sql.id(`${table}_told_${event}`)
  const [the, type] = [sql.raw(row), sql.lit(`${noun}.${happened}`)]
  const named = sql.join(columns.map((column) => sql`${the}.${sql.ref(column)} as ${sql.ref(column)}`))
  await sql`drop trigger if exists ${name}`.execute(db)
  await sql`create trigger ${name} after ${sql.raw(event)} on ${sql.table(table)}
    when exists (select 1 from outbox_subscriptions where project_id = ${the}.project_id and type = ${type})
    begin
      update sequences set last = last + 1 where name = ${sql.lit(OUTBOX_SEQUENCE)};
      ${INTO}
      select subscriber, (select last from sequences where name = ${sql.lit(OUTBOX_SEQUENCE)}),
        'msg_' || lower(hex(randomblob(12))), project_id, type, ${the}.environment,
        concat(${sql.lit(`${noun}/`)}, ${the}.environment, '/', ${the}.id),
        (select ${json} from (select ${named})), ${databaseNow('sqlite')}, ${sql.lit(AT_ONCE)}
      from outbox_subscriptions
      where project_id = ${the}.project_id and type = ${type} and environment in ('*', ${the}.environment);
    end`.execute(db)
}

/** Once for each statement, however many rows it has. */
async function tellOnPostgres(db: Db, watched: Watched, [event, happened, row]: (typeof EVENTS)[number]) {
  const { table, noun, json } = watched
  const name = sql.id(`${table}_told_${event}`)
  await sql`create or replace function ${name}() returns trigger language plpgsql as $told$
    begin
      ${INTO}
      select subscriber, nextval(${sql.lit(`${OUTBOX_SEQUENCE}_seq`)}),
        'msg_' || replace(gen_random_uuid()::text, '-', ''), told.project_id, type, changed.environment,
        concat(${sql.lit(`${noun}/`)}, changed.environment, '/', changed.id),
        ${json}, ${databaseNow('postgres')}, ${sql.lit(AT_ONCE)}
      from changed join outbox_subscriptions as told
        on told.project_id = changed.project_id and told.type = ${sql.lit(`${noun}.${happened}`)}
        and told.environment in ('*', changed.environment)
      order by changed.id;
      return null;
    end $told$`.execute(db)
  await sql`drop trigger if exists ${name} on ${sql.table(table)}`.execute(db)
  await sql`create trigger ${name} after ${sql.raw(event)} on ${sql.table(table)}
    referencing ${sql.raw(row)} table as changed for each statement execute function ${name}()`.execute(db)
}
