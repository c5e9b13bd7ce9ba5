import { readdir, readFile } from 'node:fs/promises'
import type { ArchiveFile } from './archive/archive.ts'

const REFERENCE = new URL('../../../reference/', import.meta.url)
const NOT_FOUND_PAGE = '404.html'
export const DOCUMENT = 'openapi.json'

/**
 * The site of a project that has deployed nothing yet: the API reference around the given OpenAPI document.
 * Every project gets the same bytes, so a thousand starter sites are stored once.
 */
export async function starterSite(openapiDocument: string): Promise<ArchiveFile[]> {
  return [
    ...(await referenceFiles()),
    { path: NOT_FOUND_PAGE, bytes: await readFile(new URL(NOT_FOUND_PAGE, REFERENCE)) },
    { path: DOCUMENT, bytes: Buffer.from(openapiDocument) },
  ]
}

/** The reference page itself, which finds its document by the `openapi` meta element of its index.html. */
export async function referenceFiles(): Promise<ArchiveFile[]> {
  const isServed = (name: string) => /\.(?:css|html|js|svg)$/.test(name) && name !== NOT_FOUND_PAGE
  const names = (await readdir(REFERENCE)).filter(isServed).sort()
  return Promise.all(
    names.map(async (path) => ({ path, bytes: servedScript(path, await readFile(new URL(path, REFERENCE))) })),
  )
}

/** Scripts travel without their doc comments, which hold their types: a fifth of their bytes. */
export function servedScript(path: string, bytes: Buffer): Buffer {
  return path.endsWith('.js') ? Buffer.from(bytes.toString().replaceAll(DOC_COMMENT, '')) : bytes
}

/** On lines of its own. */
const DOC_COMMENT = /^ *\/\*\*(?:(?!\*\/)[^])*\*\/\n/gm
