import type { ErrorCode } from '../../errors.ts'
import type { InlineSchema, Schema } from '../../schema.ts'
import type { Environment, OperationContract } from '../operation.ts'
import { type Reference, referencing, sortedSchemas } from './components.ts'
import { errorResponses } from './errors.ts'
import {
  jsonContent,
  methodOf,
  type OpenApiDocument,
  type OperationObject,
  type ParameterObject,
  type Responses,
} from './format.ts'
import { EXAMPLE_ETAG, headerComponents, headersOf } from './headers.ts'
import { deprecationMarkers, NAVIGATION, stabilityMarkers, TRY_OUT_DISABLED } from './markers.ts'

const API_VERSION = '1.0.0'

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

/** The OpenAPI 3.1 document of exactly these operations. */
export function openApiDocument(
  contracts: readonly OperationContract[],
  baseUrls: Record<Environment, string>,
): OpenApiDocument {
  const schemas = new Map<string, InlineSchema>()
  const reference = referencing(schemas)

  const paths: OpenApiDocument['paths'] = {}
  for (const contract of contracts) {
    const path = (paths[contract.path] ??= {})
    path[methodOf(contract)] = operationObject(contract, reference)
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
      schemas: sortedSchemas(schemas),
      headers: headerComponents,
    },
  }
}

function operationObject(contract: OperationContract, reference: Reference): OperationObject {
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
    responses: {
      ...successResponses(contract, reference),
      ...errorResponses(errorsOf(contract), reference, ERROR_HEADERS),
    },
  }
}

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

function errorsOf(contract: OperationContract): ErrorCode[] {
  return [
    ...contract.errors,
    ...COMMON_ERRORS,
    ...(contract.body ? BODY_ERRORS : []),
    ...(contract.conditional ? (['precondition_failed'] as const) : []),
    ...(contract.idempotent ? IDEMPOTENCY_ERRORS : []),
  ]
}

const ERROR_HEADERS: Partial<Record<ErrorCode, Parameters<typeof headersOf>[0]>> = {
  unauthorized: ['WWW-Authenticate'],
  rate_limited: ['Retry-After', 'RateLimit-Policy', 'RateLimit'],
  unavailable: ['Retry-After', 'Petstore-Outcome'],
}

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

export const IF_MATCH: ParameterObject = {
  name: 'If-Match',
  in: 'header',
  required: false,
  ...stabilityMarkers({ stability: 'beta' }),
  description:
    'The `ETag` under which the resource was read: when it has changed since, nothing is done and the answer is 412.',
  schema: { type: 'string' },
  example: EXAMPLE_ETAG,
}
