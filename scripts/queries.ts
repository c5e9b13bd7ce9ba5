import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import '../src/main.ts'
import { migrations } from '../src/migrations.ts'
import { migrate } from '../src/platform/storage/migrations.ts'
import { preparedQueries } from '../src/platform/storage/prepared.ts'
import { openSqlite } from '../src/platform/storage/sqlite/connection.ts'
import type { Db } from '../src/platform/storage/tables.ts'

export const QUERIES_FILE = fileURLToPath(new URL('../docs/queries.md', import.meta.url))

export interface QueryInSql {
  question: string
  sqlite: string
  postgres: string
  /** What SQLite makes of it on the present schema: the indexes that it uses. */
  plan: string[]
}

/** Every prepared query of the house as both engines get it, in the order of their names. */
export async function queriesInSql(): Promise<QueryInSql[]> {
  const connection = openSqlite(':memory:', { readOnly: false })
  try {
    await migrate(connection.db, 'sqlite', migrations)
    return [...preparedQueries]
      .sort(([one], [other]) => one.localeCompare(other))
      .map(([question, query]) => {
        const sqlite = query.compile(sqliteOnPaper).sql
        return { question, sqlite, postgres: query.compile(postgresOnPaper).sql, plan: planOf(connection.raw, sqlite) }
      })
  } finally {
    connection.close()
  }
}

export function queriesPage(queries: readonly QueryInSql[]): string {
  const sections = queries.map(
    ({ question, sqlite, postgres, plan }) =>
      `## ${question}\n\n\`\`\`sql\n-- SQLite\n${readable(sqlite)}\n-- PostgreSQL\n${readable(postgres)}\n\`\`\`\n\n` +
      plan.map((step) => `- ${step}\n`).join(''),
  )
  return `${INTRODUCTION}\n${sections.join('\n')}`
}

const INTRODUCTION = `# The prepared queries in SQL

Written by \`npm run queries\` and compared by a test, so that a review shows the SQL that a change leads to. Below each
query stands how SQLite carries it out; no query may walk through a whole table.
`

const sqliteOnPaper: Db = new Kysely({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

export const postgresOnPaper: Db = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

export function planOf(database: DatabaseSync, sql: string): string[] {
  const parameters = Array.from(sql.matchAll(/\?/g), () => null)
  return database
    .prepare(`explain query plan ${sql}`)
    .all(...parameters)
    .map((step) => String(step.detail))
}

/** One clause a line. */
function readable(sql: string): string {
  return sql.replaceAll(/ (from|left join|inner join|where|set|values|order by|limit|on conflict|returning) /g, '\n$1 ')
}

if (import.meta.main) writeFileSync(QUERIES_FILE, queriesPage(await queriesInSql()))
