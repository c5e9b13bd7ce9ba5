import { readFile } from 'node:fs/promises'
import { etagOf } from '../../platform/http/etag.ts'
import type { HttpRoute } from '../../platform/http/exchange.ts'
import { documentJson } from '../../platform/http/openapi/json.ts'
import type { Answer } from '../../platform/http/operation.ts'
import { makeOnce } from '../../platform/single-flight.ts'
import type { PlatformDocument } from './document.ts'

/** Written by `npm run openapi`: the types of the answers are known to the compiler only. */
const FILE = new URL('../../../openapi.platform.json', import.meta.url)

/** The document with this installation's address, read when somebody first asks for it. */
export function servedPlatformDocument(url: string): () => Promise<string> {
  return makeOnce(async () => {
    const { servers, externalDocs, ...document } = JSON.parse(await readFile(FILE, 'utf8')) as PlatformDocument
    return documentJson({
      ...document,
      servers: servers.map((server) => ({ ...server, url })),
      externalDocs: { ...externalDocs, url: new URL('/docs/', url).href },
    })
  })
}

/** `/platform/v1/openapi.json`, for everybody. */
export function documentRoute(document: () => Promise<string>): HttpRoute<void> {
  let answer: Answer | undefined
  return {
    id: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    body: 'ignored',
    admit: () => {},
    async answer() {
      if (answer) return answer
      const body = await document()
      return (answer = { status: 200, body, etag: etagOf(body), isPublic: true, repeated: true })
    },
  }
}
