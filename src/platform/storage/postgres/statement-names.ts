import { NOT_PREPARED } from './trouble.ts'

/** Statements known by name skip the parser on the server; texts beyond this many stay unnamed. */
const NAMED_STATEMENTS_MAX = 500

const names = new Map<string, string>()
let lastNumber = 0

export function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= NAMED_STATEMENTS_MAX) return known
  const name = `petstore_${++lastNumber}`
  names.set(text, name)
  return name
}

/**
 * A newer instance has added a column to a table of which the statement reads all. From then on PostgreSQL refuses it,
 * before it begins, on each connection where it was prepared. In any language, so that its words say nothing.
 */
export function isOutdated(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** All get new names: other statements read that table too, and a transaction would meet them one by one. */
export function toPrepareAnew(cause: unknown, text: string, name: string): Error {
  if (names.get(text) === name) names.clear()
  return Object.assign(new Error('the statement has to be prepared anew', { cause }), { code: NOT_PREPARED })
}
