import { resolve } from 'node:path'
import type { Config } from '../../config.ts'

/** Where a whole database is. */
export type Place =
  | { readonly engine: 'postgres'; readonly url: string }
  | { readonly engine: 'sqlite'; readonly directory: string }

export function placeOf(text: string): Place {
  return /^postgres(?:ql)?:\/\//.test(text)
    ? { engine: 'postgres', url: text }
    : { engine: 'sqlite', directory: resolve(text) }
}

export const placeOfService = ({ databaseUrl, dataDirectory }: Pick<Config, 'databaseUrl' | 'dataDirectory'>) =>
  placeOf(databaseUrl ?? dataDirectory)

/** Without the password, and without the settings behind the name. */
export function nameOf(place: Place): string {
  return place.engine === 'sqlite' ? place.directory : place.url.replace(/\/\/[^@/]*@/, '//').replace(/\?.*$/, '')
}
