import { columns } from './columns.ts'

/** A header for every field: one that is missing does not compile. */
export type Headers<Item> = { readonly [Name in keyof Item]-?: string }

export function table<Item extends object>(headers: Headers<Item>, items: readonly Item[]): string {
  const names = Object.keys(headers) as (keyof Item)[]
  const rows = items.map((item) => names.map((name) => String(item[name] ?? '–')))
  return columns([names.map((name) => headers[name]), ...rows])
}

/** The fields that have a value. Each must be named: one that is missing does not compile. */
export function presentFields<Fields extends object>(all: {
  readonly [Name in keyof Fields]-?: Fields[Name] | undefined
}): Fields {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Fields
}
