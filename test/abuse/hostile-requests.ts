import type { Random } from '../campaign/random.ts'

/** Requests in the bytes of HTTP/1.1, well formed as far as they have to be to reach something. */
export interface Request {
  method: string
  target: string
  headers: readonly (readonly [string, string])[]
  body: string | Buffer
}

export function bytesOf({ method, target, headers, body }: Request): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`), '', '']
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), Buffer.from(body)])
}

const words = (text: string) => text.trim().split(/\s+/)

export const METHODS = words(`
  GET GET GET HEAD POST POST PUT PATCH DELETE OPTIONS QUERY TRACE PROPFIND SEARCH M-SEARCH PURGE FOO get __proto__
  constructor`)

const PATHS = words(`
  / /v1 /v1/ /v1/pets /v1/pets/1 /v1/store/orders /v1/store/orders/1 /v1/openapi.json /docs /docs/
  /platform/v1/session /platform/v1/projects /platform/v1/ /projects/kennel-1 /index.html /assets/x.js
  /.well-known/acme-challenge/token /.well-known/security.txt /ca.crl /livez /readyz /metrics * http://localhost/v1/pets
  //evil.example/ localhost:443`)

const PIECES = words(`
  / // .. %2e%2e %2f %00 % %zz %C3%28 %F0%9F%90%95 ?limit=1 ?limit=-1 & = ?cursor= a ; * ~ @ : ?__proto__[a]=1
  ?limit=1&limit=2 ${'9'.repeat(40)} ${'a'.repeat(600)}`)

export function hostileTarget(random: Random): string {
  let target = random.pick(PATHS)
  while (random.below(3) === 0) target += random.pick(PIECES)
  return target
}

const NAMES = words(`
  Content-Type Content-Encoding Transfer-Encoding Content-Length Expect Connection Upgrade Idempotency-Key If-None-Match
  If-Match If-Modified-Since If-Range Range Accept Accept-Encoding Accept-Language Cookie Authorization Origin
  Sec-Fetch-Site Referer X-Forwarded-For X-Forwarded-Proto X-Forwarded-Host Forwarded X-HTTP-Method-Override
  X-Request-Id User-Agent TE Trailer HTTP2-Settings Via Date __proto__ constructor`)

const VALUES = words(`
  * */* 0 -1 1e9 "a" W/"a" a,b a;q=0 gzip br;q=1,zstd identity;q=0 bytes=0- bytes=5-1 bytes=0-0,2-3
  bytes=-9999999999999999999 null application/json application/json;charset=utf-16 text/plain multipart/form-data
  chunked
  close keep-alive h2c websocket 100-continue same-origin https://evil.example Bearer petstore_session=%zz
  petstore_session=" for=_x;by=" ::1 127.0.0.1,10.0.0.1 % __proto__ ../.. ${'x'.repeat(5000)}`)
  // With white space, or none but that.
  .concat(['', ' ', '\t', '\xff\xfe', 'Bearer x', 'a=b; a=c; =', 'Thu, 01 Jan 1970 00:00:00 GMT'])

export function hostileHeaders(random: Random): [string, string][] {
  return Array.from({ length: random.below(5) }, () => [random.pick(NAMES), random.pick(VALUES)])
}
