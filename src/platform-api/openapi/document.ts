import type { ErrorCode } from '../../platform/errors.ts'
import { type Reference, referencing, sortedSchemas } from '../../platform/http/openapi/components.ts'
import { IF_MATCH } from '../../platform/http/openapi/document.ts'
import { errorResponses } from '../../platform/http/openapi/errors.ts'
import {
  type Content,
  jsonContent,
  methodOf,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  type Responses,
  type SecurityRequirement,
} from '../../platform/http/openapi/format.ts'
import { headerComponents, headersOf } from '../../platform/http/openapi/headers.ts'
import { stabilityMarkers } from '../../platform/http/openapi/markers.ts'
import type { InlineSchema, PublishedSchema, Schema } from '../../platform/schema.ts'
import type { DashboardRoute } from '../route.ts'
import { FOR_ANY_TOKEN, SCOPE_OF_ROUTE } from '../token-scopes.ts'
import { parameterSchema } from './parameters.ts'
import { tagOf, tags } from './tags.ts'

/** What the routes answer, as the client's types say it. */
export interface ClientAnswers {
  /** The named ones among the types. */
  types: Record<string, InlineSchema>
  /** By method and path; undefined where the answer has no body. */
  answers: Record<string, PublishedSchema | undefined>
}

/** That of the animals has no link to guides: it says what the contract says. */
export interface PlatformDocument extends OpenApiDocument {
  externalDocs: { description: string; url: string }
}

const DESCRIPTION = `Everything that the dashboard can do: projects, people, keys, deploys, domains and certificates.

People are known by their session, a cookie; programs by a token of one project, \`Authorization: Bearer ps_pat_…\`, \
which can do what its scopes say. A token acts in the name of whoever made it, and ends with that membership.

All bodies are JSON, unless an operation says otherwise; every error has the fields \`code\`, \`message\` and \
\`status\`. Answers may get more fields: ignore those that you do not know.`

/** The OpenAPI 3.1 document of the management interface. */
export function platformDocument(
  routes: readonly DashboardRoute[],
  { types, answers }: ClientAnswers,
  url: string,
): PlatformDocument {
  const schemas = new Map<string, InlineSchema>(Object.entries(types))
  const reference = referencing(schemas)
  const errors: Record<string, ResponseObject> = {}
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    const path = (paths[route.path] ??= {})
    path[methodOf(route)] = operationObject(route, answers, reference, errors)
  }
  const headers = new Set(
    [...JSON.stringify([paths, errors]).matchAll(/#\/components\/headers\/([\w-]+)/g)].map(([, name]) => name),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Petstore management',
      version: '1.0.0',
      summary: 'Projects, people, keys, deploys and domains.',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: { description: 'Guides, and a page for each error code', url: new URL('/docs/', url).href },
    servers: [{ url, description: 'Management' }],
    security: [SESSION],
    tags,
    'x-tagGroups': [],
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-petstore_session',
          description:
            'The session of somebody who is signed in. Where the service is reached without TLS, the cookie has the ' +
            'name `petstore_session`. Changes must come from the page of the service itself.',
        },
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of one project, with the scopes that an operation names: `Bearer ps_pat_…`.',
        },
      },
      schemas: sortedSchemas(schemas),
      responses: errors,
      headers: Object.fromEntries(Object.entries(headerComponents).filter(([name]) => headers.has(name))),
    },
  }
}

const SESSION: SecurityRequirement = { session: [] }

function operationObject(
  route: DashboardRoute,
  answers: ClientAnswers['answers'],
  reference: Reference,
  errors: Record<string, ResponseObject>,
): OperationObject {
  const scope = SCOPE_OF_ROUTE[route.id]
  const content = requestContent(route, reference)
  return {
    operationId: route.id,
    summary: route.summary,
    description: [route.description, admission(route, scope)].filter(Boolean).join(' '),
    tags: [tagOf(route.path)],
    ...stabilityMarkers({ stability: 'beta' }),
    security: route.role === 'public' ? [] : [SESSION, ...tokensFor(route, scope)],
    parameters: parametersOf(route, reference),
    ...(content && { requestBody: { required: true, content } }),
    responses: { ...goodAnswers(route, answers, reference), ...shared(errorsOf(route, reference), errors) },
  }
}

function tokensFor({ id }: DashboardRoute, scope: string | undefined): SecurityRequirement[] {
  if (FOR_ANY_TOKEN.has(id)) return [{ token: [] }]
  return scope === undefined ? [] : [{ token: [scope] }]
}

function admission({ id, role }: DashboardRoute, scope: string | undefined): string {
  if (role === 'public') return 'Open to everybody.'
  if (role === 'session' && FOR_ANY_TOKEN.has(id)) return 'For whoever is signed in, or any token.'
  if (role === 'session' && scope === undefined) return 'For whoever is signed in.'
  if (role === 'session') return `For whoever is signed in, or a token with the scope \`${scope}\`.`
  if (role === 'operator') return 'For the operator of the platform.'
  const least = role === 'owner' ? 'For an owner of the project' : `For whoever is at least ${role} of the project`
  return scope === undefined ? `${least}, signed in.` : `${least}, or a token with the scope \`${scope}\`.`
}

/** A hundred operations have the same few errors. */
function shared(responses: Responses, components: Record<string, ResponseObject>): Record<string, { $ref: string }> {
  Object.assign(components, responses)
  const statuses = Object.keys(responses)
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]))
}

/** Whatever changes something takes JSON, if only `{}`: a form of another site cannot send that. */
function requestContent({ method, streams, takes }: DashboardRoute, reference: Reference): Content | undefined {
  if (takes.body) return jsonContent(reference(takes.body))
  if (streams) return { 'application/octet-stream': { schema: {} } }
  const isEmpty = method === 'GET' || method === 'DELETE'
  return isEmpty ? undefined : jsonContent({ type: 'object', description: `Nothing is to be said: \`{}\`.` }, {})
}

function parametersOf({ path, takes }: DashboardRoute, reference: Reference): ParameterObject[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
  const inPath = names.map((name) =>
    parameterObject('path', name, takes.parameters?.[name] ?? parameterSchema(path, name), reference),
  )
  const inQuery = Object.entries(takes.query?.properties ?? {}).map(([name, schema]) =>
    parameterObject('query', name, schema, reference),
  )
  return [...inPath, ...inQuery, ...(takes.conditional ? [IF_MATCH] : [])]
}

function parameterObject(place: 'path' | 'query', name: string, schema: Schema, reference: Reference): ParameterObject {
  const { description, examples, ...rest } = schema as Schema & { examples?: unknown[] }
  return {
    name,
    in: place,
    required: place === 'path',
    description,
    schema: reference(schema.$id === undefined ? rest : schema),
    ...(examples && { example: examples[0] }),
  }
}

function goodAnswers(route: DashboardRoute, answers: ClientAnswers['answers'], reference: Reference): Responses {
  const { method, path, takes, answer, events } = route
  const name = `${method} ${path}`
  if (!answer && !events && !(name in answers)) {
    throw new Error(`${name} has no type of its answer. Add the route to client/src/platform/routes/.`)
  }
  const schema = answer ? reference(answer) : answers[name]
  const content = events ? { 'text/event-stream': { schema: {} } } : schema && jsonContent(schema)
  const isPaged = takes.query?.properties.cursor !== undefined
  const headers = headersOf([
    'X-Request-Id',
    ...(isPaged ? (['Link'] as const) : []),
    ...(takes.conditional && schema ? (['ETag'] as const) : []),
  ])
  const statuses = route.answers ?? [content ? 200 : 204]
  return Object.fromEntries(
    statuses.map((status) => [status, { description: GOOD[status] ?? 'Done.', headers, ...(content && { content }) }]),
  )
}

const GOOD: Record<number, string> = { 201: 'Created.', 204: 'Done; there is nothing to say.' }

function errorsOf(
  { method, path, role, streams, takes, errors = [] }: DashboardRoute,
  reference: Reference,
): Responses {
  const isChange = method !== 'GET'
  const codes: ErrorCode[] = [...errors, 'internal_error', 'unavailable', 'rate_limited']
  if (role !== 'public') codes.push('unauthorized', 'forbidden')
  if (path.includes('{')) codes.push('not_found')
  if (isChange || takes.query) codes.push('invalid_request')
  if (isChange) codes.push('forbidden', 'conflict', 'payload_too_large', 'unsupported_media_type')
  if (streams) codes.push('request_timeout')
  if (takes.conditional) codes.push('precondition_failed')
  return errorResponses(codes, reference, HEADERS, WORDS)
}

const HEADERS = { rate_limited: ['Retry-After'], unavailable: ['Retry-After', 'Petstore-Outcome'] } as const

const WORDS: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'Nobody is signed in, or the token is not valid.',
  plan_required: 'The plan of the project does not have this.',
  forbidden: 'Whoever asks may not do this; the message says why.',
  not_found: 'There is no such thing, or whoever asks has no part in it.',
  gone: 'The link does not work any more.',
  request_timeout: 'The body did not arrive in time.',
  unsupported_media_type: 'The body is not of a kind that the operation takes.',
  payload_too_large: 'The body is too large; the message says how large it may be.',
  rate_limited: 'Too many changes or attempts; wait as long as `Retry-After` says.',
}
