import type { Config } from '../config.ts'
import type { KeyVerifier } from '../features/keys/verify.ts'
import { orderOperations } from '../features/orders/orders.ts'
import { petOperations } from '../features/pets/pets.ts'
import type { Suspensions } from '../features/projects/suspensions.ts'
import type { Clock } from '../platform/clock.ts'
import { createApi } from '../platform/http/api.ts'
import type { Cursors } from '../platform/http/lists/cursor.ts'
import { etagOf } from '../platform/http/etag.ts'
import type { HttpInterface } from '../platform/http/exchange.ts'
import { openApiDocument } from '../platform/http/openapi/document.ts'
import { documentJson } from '../platform/http/openapi/json.ts'
import { RateLimiter } from '../platform/http/rate-limit.ts'
import { ResponseCache } from '../platform/http/response-cache.ts'
import type { LimitExchange } from '../platform/limits/exchange.ts'
import { whenThere } from '../platform/maybe-promise.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { openRecordRooms } from './record-rooms.ts'

interface AnimalsNeeds {
  config: Pick<Config, 'baseUrl' | 'stagingUrl' | 'rateLimit'>
  storage: Storage
  clock: Clock
  metrics: Metrics
  verifier: Pick<KeyVerifier, 'authenticate'>
  suspensions: Pick<Suspensions, 'admit'>
  cursors: Cursors
  rooms: ReturnType<typeof openRecordRooms>
  /** Undefined where nobody else counts requests. */
  limits: LimitExchange | undefined
  answered: HttpInterface['answered']
}

/** `/v1` at both addresses, and its document. */
export function openAnimals(needs: AnimalsNeeds) {
  const { config, storage, clock, metrics, verifier, suspensions, cursors, rooms, limits, answered } = needs
  const operations = [
    ...petOperations({ storage, clock, cursors, rooms }),
    ...orderOperations({ storage, clock, cursors, rooms }),
  ]
  const baseUrls = { production: config.baseUrl.href, staging: config.stagingUrl.href }
  const contracts = operations.map((operation) => operation.contract)
  const openapiDocument = documentJson(openApiDocument(contracts, baseUrls))
  const cache = new ResponseCache()
  metrics.gauge('petstore_kept_answers_bytes', 'Memory of the answers that are kept.', () => cache.bytes)
  const api = createApi({
    operations,
    baseUrls,
    documents: {
      '/openapi.json': { status: 200, body: openapiDocument, etag: etagOf(openapiDocument), isPublic: true },
    },
    storage,
    cache,
    authenticate: (...sent) => whenThere(verifier.authenticate(...sent), (caller) => suspensions.admit(caller)),
    rateLimiter: config.rateLimit && new RateLimiter(config.rateLimit, clock, limits),
    clock,
    answered,
    documentationUrl: new URL('/docs', config.baseUrl).href,
  })
  return { api, contracts, openapiDocument }
}
