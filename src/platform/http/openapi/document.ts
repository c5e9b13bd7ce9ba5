import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from '../../errors.ts'
import { headerComponents, headersOf } from './headers.ts'
import { deprecationMarkers, NAVIGATION, stabilityMarkers, TRY_OUT_DISABLED } from './markers.ts'
import type { Environment, OperationContract } from '../operation.ts'
import {
  integer,
  object,
  oneOf,
  type InlineSchema,
  published,
  type PublishedSchema,
  type Schema,
  text as textSchema,
} from '../../schema.ts'

const API_VERSION = '1.0.0'

const ErrorSchema = object(
  {
    code: oneOf(ERROR_CODES, { description: 'Machine-readable error code.' }),
    message: textSchema({ description: 'Human-readable description.' }),
    status: integer({ description: 'The HTTP status code.' }),
  },
  { $id: 'Error', description: 'Every error response has exactly these fields.' },
)

/** What any operation may answer, beside its own errors. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal_error',
  'unavailable',
]
const BODY_ERRORS: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type']
const IDEMPOTENCY_ERRORS: readonly ErrorCode[] = ['conflict', 'idempotency_mismatch']

const ERROR_TEXT: Partial<Record<ErrorCode, string>> = {
  invalid_request: 'The request is missing required fields or contains invalid values.',
  unauthorized: 'Missing or invalid API key.',
  forbidden: 'The API key lacks the scope that this operation needs.',
  not_found: 'The requested resource could not be found.',
  conflict: 'The request does not fit the present state; the message says why.',
  gone: 'The operation has been removed.',
  precondition_failed: 'What is there is not what `If-Match` names any more; nothing was changed.',
  payload_too_large: 'The body is larger than 64 KiB.',
  unsupported_media_type: 'The body is not `application/json`.',
  idempotency_mismatch: 'The idempotency key was used with another request.',
  rate_limited: 'Too many requests; wait as long as `Retry-After` says.',
  internal_error: 'Something went wrong on the server.',
  unavailable: 'The service is overloaded or its storage is away; wait as long as `Retry-After` says.',
}

/** What the reference is typed by: a change of this shape that the reference does not follow fails to compile. */
export type OpenApiDocument = ReturnType<typeof openApiDocument>
type Method = Lowercase<OperationContract['method']>

/** The OpenAPI 3.1 document of exactly these operations. */
export function openApiDocument(contracts: readonly OperationContract[], baseUrls: Record<Environment, string>) {
  const schemas = new Map<string, InlineSchema>()
  const reference = referencing(schemas)
  reference(ErrorSchema)

  const paths: Record<string, Partial<Record<Method, ReturnType<typeof operationObject>>>> = {}
  for (const contract of contracts) {
    const path = (paths[contract.path] ??= {})
    path[contract.method.toLowerCase() as Method] = operationObject(contract, reference)
  }

  return {
    openapi: '3.1.0',
    info: {
      title: 'Petstore',
      version: API_VERSION,
      summary: 'A store of animals.',
      description:
        'List animals, add an animal, and sell it. ' +
        'All bodies are JSON; every error has the fields `code`, `message` and `status`. ' +
        '64-bit integers are exact to the last digit in both directions.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: {
      description: 'Guides, and a page for each error code',
      url: new URL('/docs/', baseUrls.production).href,
    },
    servers: [
      { url: baseUrls.production, description: 'Production' },
      { url: baseUrls.staging, description: 'Staging' },
    ],
    security: [{ bearerAuth: [] }],
    ...NAVIGATION,
    paths,
    components: {
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of one project and environment: `Authorization: Bearer <API_KEY>`.',
        },
      },
      schemas: Object.fromEntries([...schemas].sort(([one], [other]) => one.localeCompare(other))),
      headers: headerComponents,
    },
  }
}

type Reference = (schema: Schema) => PublishedSchema

/** Schemas with an `$id` become components and are referred to by it. */
function referencing(schemas: Map<string, InlineSchema>): Reference {
  const visit = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(visit)
    if (typeof schema !== 'object' || schema === null) return schema
    const { $id, ...rest } = schema as { $id?: string }
    const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, visit(value)]))
    if ($id === undefined) return inner
    schemas.set($id, inner as unknown as InlineSchema)
    return { $ref: `#/components/schemas/${$id}` }
  }
  return (schema) => visit(published(schema)) as PublishedSchema
}

function operationObject(contract: OperationContract, reference: Reference) {
  const { deprecation, body } = contract
  return {
    operationId: contract.id,
    summary: contract.summary,
    description: deprecation ? `${contract.description} ${deprecation.advice}` : contract.description,
    tags: ['animals'],
    ...stabilityMarkers(contract),
    ...(deprecation && deprecationMarkers(deprecation)),
    ...(contract.tryOut === false && TRY_OUT_DISABLED),
    security: [{ bearerAuth: [] }],
    parameters: parametersOf(contract, reference),
    ...(body && {
      requestBody: {
        required: true,
        content: jsonContent(reference(body.schema), body.example),
      },
    }),
    responses: { ...successResponses(contract, reference), ...errorResponses(contract, reference) },
  }
}

const jsonContent = (schema: PublishedSchema, example: unknown) => ({ 'application/json': { schema, example } })

interface ResponseObject {
  description: string
  headers: ReturnType<typeof headersOf>
  content?: ReturnType<typeof jsonContent>
}
type Responses = Record<string, ResponseObject>

function successResponses(contract: OperationContract, reference: Reference): Responses {
  const { method, success, idempotent, deprecation } = contract
  const common = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'] as const
  const notices = deprecation ? (['Deprecation', 'Sunset', 'DeprecationLink'] as const) : []
  const headers = [
    ...success.headers,
    ...common,
    ...(idempotent ? (['Idempotency-Replayed'] as const) : []),
    ...notices,
  ]
  const content = success.schema && jsonContent(reference(success.schema), success.example)
  const full = { description: success.description, headers: headersOf(headers), ...(content && { content }) }
  if (method !== 'GET' || !success.headers.includes('ETag')) return { [success.status]: full }
  const unchanged = headersOf(['ETag', ...common, ...notices])
  return {
    [success.status]: full,
    304: { description: 'Nothing has changed since the answer with this ETag.', headers: unchanged },
  }
}

interface ParameterObject extends Partial<ReturnType<typeof stabilityMarkers>> {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string | undefined
  schema: PublishedSchema
  example?: unknown
}

function parametersOf(contract: OperationContract, reference: Reference): ParameterObject[] {
  const inPath = Object.entries(contract.parameters ?? {}).map(([name, schema]) => ({
    name,
    in: 'path' as const,
    required: true,
    ...describedSchema(schema, reference),
  }))
  const inQuery = Object.entries(contract.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query' as const,
    required: false,
    ...(contract.betaQuery?.includes(name) && stabilityMarkers({ stability: 'beta' })),
    ...describedSchema(schema, reference),
  }))
  const inHeader = [
    ...(contract.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(contract.method === 'GET' && contract.success.headers.includes('ETag') ? [IF_NONE_MATCH] : []),
    ...(contract.conditional ? [IF_MATCH] : []),
  ]
  return [...inPath, ...inQuery, ...inHeader]
}

function describedSchema(schema: Schema, reference: Reference) {
  const { description, examples } = schema as Schema & { examples?: unknown[] }
  return { description, schema: reference(schema), ...(examples && { example: examples[0] }) }
}

function errorResponses(contract: OperationContract, reference: Reference): Responses {
  const codes = new Set<ErrorCode>([...contract.errors, ...COMMON_ERRORS])
  if (contract.body) for (const code of BODY_ERRORS) codes.add(code)
  if (contract.conditional) codes.add('precondition_failed')
  if (contract.idempotent) for (const code of IDEMPOTENCY_ERRORS) codes.add(code)
  const responses = [...codes].map((code) => {
    const status = ERROR_STATUS[code]
    const description = ERROR_TEXT[code] ?? code
    const headers = ['X-Request-Id' as const, ...(ERROR_HEADERS[code] ?? [])]
    const example = { code, message: description, status }
    const content = jsonContent(reference(ErrorSchema), example)
    return [String(status), { description, headers: headersOf(headers), content }] as const
  })
  return Object.fromEntries(responses.sort(([one], [other]) => one.localeCompare(other)))
}

const ERROR_HEADERS: Partial<Record<ErrorCode, Parameters<typeof headersOf>[0]>> = {
  unauthorized: ['WWW-Authenticate'],
  rate_limited: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  unavailable: ['Retry-After'],
}

const EXAMPLE_ETAG = '"-1209478129_1776348001_61"'

const IDEMPOTENCY_KEY: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a repeated request safe for 24 hours: ' +
    'the same key and body give the first answer again, with `Idempotency-Replayed: true`.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '8f14e45f-ceea-467f-9d6b-0b5f1a3f9c55',
}

const IF_NONE_MATCH: ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of an earlier answer: when nothing has changed since, the answer is 304 and has no body.',
  schema: { type: 'string' },
  example: EXAMPLE_ETAG,
}

const IF_MATCH: ParameterObject = {
  name: 'If-Match',
  in: 'header',
  required: false,
  ...stabilityMarkers({ stability: 'beta' }),
  description:
    'The `ETag` under which the resource was read: when it has changed since, nothing is done and the answer is 412.',
  schema: { type: 'string' },
  example: EXAMPLE_ETAG,
}
