import type { IncomingMessage, ServerResponse } from 'node:http'

export const CHALLENGE_PATH = '/.well-known/acme-challenge/'

/** The key authorisation that belongs to a token, while an order for that host is under way. */
export type ChallengeLookup = (host: string, token: string) => Promise<string | undefined> | string | undefined

/**
 * Answers http-01 (RFC 8555, 8.3). True when the request was one and has been answered: ask before any redirect and
 * before any site, because a certificate authority follows neither and a site must not answer in its place.
 */
export async function answerChallenge(
  request: IncomingMessage,
  response: ServerResponse,
  host: string,
  lookup: ChallengeLookup,
): Promise<boolean> {
  if (!isChallenge(request)) return false
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    send(request, response, 405, 'Ask with GET.\n', ['Allow', 'GET, HEAD'])
    return true
  }
  const token = request.url!.slice(CHALLENGE_PATH.length).split('?', 1)[0]!
  try {
    const answer = TOKEN.test(token) ? await lookup(host, token) : undefined
    if (answer === undefined) send(request, response, 404, 'No certificate order with this token is under way.\n')
    else send(request, response, 200, answer)
  } catch {
    send(request, response, 503, 'The storage cannot be read right now. Try again.\n', ['Retry-After', '1'])
  }
  return true
}

export const isChallenge = (request: IncomingMessage) => request.url?.startsWith(CHALLENGE_PATH) ?? false

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: string,
  headers: string[] = [],
): void {
  response.writeHead(status, [
    'Content-Type',
    'text/plain; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    ...headers,
  ])
  if (request.method === 'HEAD') response.end()
  else response.end(body)
}

/** base64url; certificate authorities use 22 to 43 characters. */
const TOKEN = /^[\w-]{1,128}$/
