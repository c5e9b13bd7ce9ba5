import type { Kysely } from 'kysely'

/**
 * The tables of the whole house. Platform knows no feature, so this starts almost empty:
 * every feature declares its own tables by merging into this interface.
 */
export interface Tables {
  settings: { name: string; value: string }
  sequences: { name: string; last: number }
}

export type Db = Kysely<Tables>
export type Engine = 'sqlite' | 'postgres'
