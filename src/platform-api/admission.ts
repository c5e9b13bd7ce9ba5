import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { storageOf, type Tell } from '../features/audit/audited.ts'
import { requireAccess } from '../features/accounts/members.ts'
import { suffices } from '../features/accounts/role.ts'
import { maker, type SignedIn, type Visitor, whoIs } from '../features/accounts/sessions.ts'
import { VISITOR } from '../features/audit/record.ts'
import { allows } from '../features/keys/tokens/scopes.ts'
import { type Bearer, bearerOf } from '../features/keys/tokens/tokens.ts'
import type { Suspensions } from '../features/projects/suspensions.ts'
import type { Clock } from '../platform/clock.ts'
import { notFound, PetstoreError } from '../platform/errors.ts'
import { clientAddress, isEncrypted, leaving } from '../platform/http/client.ts'
import type { Exchange } from '../platform/http/exchange.ts'
import { networkOf } from '../platform/network.ts'
import { listed } from '../platform/schema.ts'
import type { Actor } from '../platform/storage/audit-note.ts'
import type { Storage } from '../platform/storage/storage.ts'
import { readCookie } from './cookies.ts'
import { PREFIX } from './interface.ts'
import { noting } from './outcome.ts'
import type { ProjectCall, PublicCall, RouteContract } from './route.ts'
import { requireSameOrigin } from './same-origin.ts'
import { FOR_ANY_TOKEN, forPeople, roleOf, SCOPE_OF_ROUTE } from './token-scopes.ts'

export interface AdmissionNeeds {
  storage: Storage
  clock: Clock
  /** The production address. */
  baseUrl: URL
  /** Undefined where no mail server is configured. */
  tell: Tell | undefined
  suspensions: Pick<Suspensions, 'refuse'>
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Where the request comes from, who sends it and what they may do, in this order, before any body is read. */
export async function admit(
  needs: AdmissionNeeds,
  route: RouteContract,
  exchange: Pick<Exchange, 'request' | 'response' | 'parameters'>,
): Promise<PublicCall> {
  const { storage, clock, baseUrl, tell, suspensions } = needs
  const { id, role, streams, unconfirmed } = route
  const { request, response, parameters } = exchange
  const isRead = READS.has(request.method as string)
  const { headers } = request
  const bearer = role === 'public' ? undefined : await tokenOf({ storage, clock }, headers)
  const encrypted = isEncrypted(request)
  const host = (headers.host ?? headers[':authority'] ?? baseUrl.host) as string
  const origin = `${encrypted ? 'https' : 'http'}://${host.toLowerCase()}`
  if (!isRead) {
    // No other site can make a browser send a token.
    if (!bearer) requireSameOrigin(headers, [baseUrl.origin, origin])
    if (!streams) requireJson(request)
  }

  const secure = encrypted || baseUrl.protocol === 'https:'
  const visitor: Visitor = {
    network: networkOf(clientAddress(request)),
    userAgent: headers['user-agent'] ?? '',
    sessionToken: readCookie(headers.cookie, 'session', secure),
    deviceMark: readCookie(headers.cookie, 'device', secure),
  }
  const who = bearer ? await maker({ storage }, bearer) : await whoIs({ storage, clock }, visitor.sessionToken)
  const call = {
    who,
    bearer,
    visitor,
    ...noting(storageOf(storage, actorOf(who, bearer), clock, tell)),
    parameters,
    url: request.url as string,
    baseUrl: origin + PREFIX,
    secure,
    request,
    judgeAgain: async () => void (await admit(needs, route, exchange)),
    left: () => leaving(response),
  }
  if (role === 'public') return call
  if (bearer) requireScope(bearer, id)
  if (!who) throw new PetstoreError('unauthorized', 'Nobody is signed in, or the session has ended: sign in first.')
  requireAccount(who, headers)
  // Without mail nobody could ever confirm anything.
  if (tell && who.mustConfirm && !unconfirmed) {
    throw new PetstoreError(
      'forbidden',
      `Confirm your address first: open the link that was mailed to ${who.email}, or ask for another one.`,
    )
  }
  // Nothing has a name with a NUL in it, and PostgreSQL will not even compare one.
  if (Object.values(parameters).some((value) => value.includes('\0'))) throw notFound('There is nothing at this path.')
  if (role === 'session') return call
  if (role === 'operator') {
    if (who.operator) return call
    throw new PetstoreError('forbidden', 'This is for the operator of the platform only.')
  }
  const access = await requireAccess({ storage }, who, parameters.project ?? '', role)
  if (bearer && bearer.projectId !== access.projectId) throw notFound('This token is for another project.')
  const project = { ...access, role: roleOf(access.role, bearer) }
  if (!suffices(project.role, role)) {
    const message = `This needs the role ${role}, and this token was taken over from somebody who was ${project.role}`
    throw new PetstoreError('forbidden', `${message} here: make one of your own.`)
  }
  if (!(route.whileSuspended ?? isRead)) suspensions.refuse(project.projectId)
  return { ...call, project } as ProjectCall
}

/** All tabs share one cookie: what a page was opened by one person for must not be done by the next one. */
function requireAccount({ id }: SignedIn, { 'petstore-account': meant = id }: IncomingHttpHeaders): void {
  if (meant === id) return
  throw new PetstoreError(
    'unauthorized',
    'Somebody else is signed in by now than the request is meant for: reload the page, or sign in again.',
  )
}

/** A form of another site can send many types, but not this one. */
function requireJson({ method, headers }: IncomingMessage): void {
  if (method === 'DELETE' && headers['content-type'] === undefined) return
  if (/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '')) return
  throw new PetstoreError('unsupported_media_type', 'The request must be JSON: send Content-Type: application/json.')
}

/** Other kinds of authorization are for a proxy on the way. */
async function tokenOf(
  needs: Pick<AdmissionNeeds, 'storage' | 'clock'>,
  { authorization = '' }: IncomingHttpHeaders,
): Promise<Bearer | undefined> {
  return /^bearer\b/i.test(authorization) ? bearerOf(needs, authorization) : undefined
}

function requireScope({ scopes }: Bearer, route: string): void {
  if (FOR_ANY_TOKEN.has(route)) return
  const needed = SCOPE_OF_ROUTE[route]
  if (needed === undefined) throw forPeople()
  if (!allows(scopes, needed)) {
    throw new PetstoreError('forbidden', `This token lacks the scope ${needed}: it has ${listed(scopes, 'and')}.`)
  }
}

function actorOf(who: SignedIn | undefined, bearer: Bearer | undefined): Actor {
  if (bearer) return { kind: 'token', id: bearer.id, name: `${bearer.name} (token of ${who?.email ?? 'nobody'})` }
  return who ? { kind: 'account', id: who.id, name: who.email } : VISITOR
}
