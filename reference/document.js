/**
 * @import { OpenApiDocument, OperationObject, ResponseObject } from '../src/platform/http/openapi/format.ts'
 * @import { InlineSchema, PublishedSchema } from '../src/platform/schema.ts'
 *
 * @typedef {ReturnType<typeof readDocument>} Api
 * @typedef {Api['servers'][number]} Server
 * @typedef {ReturnType<typeof readOperations>[number]} Operation
 * @typedef {Api['access']} Access
 * @typedef {Operation['stability']} Stability
 * @typedef {Operation['parameters'][number]} Parameter
 * @typedef {Operation['responses'][number]} ApiResponse
 * @typedef {{ name: string, description: string, operations: Operation[] }} Tag
 * @typedef {{ name: string, description: string, tags: Tag[] }} Group
 * @typedef {PublishedSchema} Schema
 * @typedef {(schema: Schema) => InlineSchema} Resolve
 */

/**
 * Turns this project's OpenAPI document into what the page shows: addresses, groups of tags, operations, schemas.
 *
 * @param {OpenApiDocument} spec
 * @param {string} documentUrl
 */
export function readDocument(spec, documentUrl) {
  const servers = spec.servers.map(({ url, description }) => ({
    label: description,
    url: new URL(url, documentUrl).href.replace(/\/$/, ''),
  }))
  const operations = readOperations(spec, new URL('/docs/', servers[0]?.url ?? documentUrl))
  return {
    title: spec.info.title,
    version: spec.info.version,
    description: spec.info.description,
    openapiVersion: spec.openapi,
    servers,
    access: readAccess(spec),
    groups: readGroups(spec, operations),
    operations,
    schemas: Object.entries(spec.components.schemas).map(([name, schema]) => ({ name, schema })),
    resolve: resolverOf(spec),
  }
}

/**
 * Integers beyond 2^53 keep their digits where the browser can hand over the source text of a number.
 *
 * @type {(text: string) => unknown}
 */
export function parseExactly(text) {
  return JSON.parse(text, exactNumbers)
}

/** @type {(key: string, value: unknown, context?: { source?: string }) => unknown} */
function exactNumbers(_key, value, context) {
  const { rawJSON } = /** @type {{ rawJSON?: (text: string) => object }} */ (JSON)
  const isExact = typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value)
  return isExact || !context?.source || !rawJSON ? value : rawJSON(context.source)
}

/** @type {(schema: Schema) => string | null} */
export function refName(schema) {
  return '$ref' in schema ? (schema.$ref.split('/').at(-1) ?? null) : null
}

/** @type {(spec: OpenApiDocument) => Resolve} */
function resolverOf({ components }) {
  return function resolve(schema) {
    if (!('$ref' in schema)) return schema
    const found = components.schemas[refName(schema) ?? '']
    if (found === undefined) throw new Error(`The document has no ${schema.$ref}.`)
    return found
  }
}

/**
 * How callers show who they are: by a bearer credential, which has a name of its own in each document, and where the
 * document says so by the session of whoever is signed in.
 *
 * @param {OpenApiDocument} spec
 */
function readAccess({ components: { securitySchemes } }) {
  const schemes = Object.values(securitySchemes)
  const bearer = schemes.find((scheme) => scheme.scheme === 'bearer')
  const session = schemes.find((scheme) => scheme.in === 'cookie')
  const words =
    session === undefined
      ? { noun: 'key', called: 'an API key', title: 'API key', variable: 'PETSTORE_KEY', hint: 'ps_…' }
      : { noun: 'token', called: 'a token', title: 'Token', variable: 'PETSTORE_TOKEN', hint: 'ps_pat_…' }
  return { ...words, bearer: bearer?.description ?? '', session: session?.description ?? null }
}

/**
 * @param {OpenApiDocument} spec
 * @param {URL} docs
 */
function readOperations({ paths, components }, docs) {
  const schemes = Object.entries(components.securitySchemes)
  const bearers = schemes.filter(([, { scheme }]) => scheme === 'bearer').map(([name]) => name)
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      tags: operation.tags,
      summary: operation.summary,
      description: operation.description,
      stability: operation['x-stability'],
      deprecation: readDeprecation(operation),
      isTryable: operation['x-hideTryItPanel'] !== true && !isUpload(operation),
      isUpload: isUpload(operation),
      isOpen: operation.security.length === 0,
      isForBearers: operation.security.some((needed) => bearers.some((name) => name in needed)),
      parameters: operation.parameters,
      body: readBody(operation),
      responses: responsesOf(operation, components).map(([status, { description, headers, content }]) => ({
        status,
        description,
        headers: Object.entries(headers).map(([name, { $ref }]) => ({
          name,
          description: components.headers[$ref.split('/').at(-1) ?? '']?.description ?? '',
        })),
        schema: content?.['application/json']?.schema,
        example: content?.['application/json']?.example,
        help: helpFor(content?.['application/json']?.example, docs),
      })),
    })),
  )
}

/**
 * The page of an error's code.
 *
 * @type {(example: unknown, docs: URL) => { code: string, href: string } | undefined}
 */
function helpFor(example, docs) {
  const { code } = /** @type {{ code?: unknown }} */ (example ?? {})
  return typeof code === 'string' ? { code, href: new URL(`errors/${code}`, docs).href } : undefined
}

/** @type {(operation: OperationObject, components: OpenApiDocument['components']) => [string, ResponseObject][]} */
function responsesOf({ responses }, { responses: shared = {} }) {
  return Object.entries(responses).map(([status, response]) => {
    const found = '$ref' in response ? shared[response.$ref.split('/').at(-1) ?? ''] : response
    if (found === undefined) throw new Error(`The document has no response ${status}.`)
    return [status, found]
  })
}

/** @param {OperationObject} operation */
function readDeprecation({ 'x-deprecated-sunset': sunset, 'x-deprecated-replacement': replacement }) {
  return sunset === undefined || replacement === undefined ? null : { sunset, replacement }
}

/** @param {OperationObject} operation */
function readBody({ requestBody }) {
  const json = requestBody?.content['application/json']
  return requestBody === undefined || json === undefined ? null : { isRequired: requestBody.required, ...json }
}

/** @param {OperationObject} operation */
function isUpload({ requestBody }) {
  return requestBody?.content['application/octet-stream'] !== undefined
}

/**
 * Groups come from `x-tagGroups`, from `x-parent`, and from tags that have neither operations nor a parent.
 *
 * @type {(spec: OpenApiDocument, operations: Operation[]) => Group[]}
 */
function readGroups({ tags: declared, 'x-tagGroups': listed }, operations) {
  const names = new Set([...declared.map((tag) => tag.name), ...operations.flatMap((operation) => operation.tags)])
  /** @type {(name: string) => Operation[]} */
  const operationsOf = (name) => operations.filter((operation) => operation.tags.includes(name))
  /** @type {(name: string) => string} */
  const describe = (name) => declared.find((tag) => tag.name === name)?.description ?? ''
  /** @type {Map<string, Group>} */
  const groups = new Map()
  /** @type {(name: string) => Group} */
  const groupOf = (name) => {
    const group = groups.get(name) ?? { name, description: describe(name), tags: [] }
    groups.set(name, group)
    return group
  }

  /** @type {Map<string, string>} */
  const placed = new Map()
  for (const group of listed) for (const name of group.tags) placed.set(name, group.name)
  for (const tag of declared) if (tag['x-parent'] !== undefined) placed.set(tag.name, tag['x-parent'])
  for (const { name } of listed) groupOf(name)
  for (const tag of declared) {
    if (tag['x-parent'] === undefined && operationsOf(tag.name).length === 0) groupOf(tag.name)
  }
  for (const name of names) {
    if (groups.has(name)) continue
    const tag = { name, description: describe(name), operations: operationsOf(name) }
    groupOf(placed.get(name) ?? name).tags.push(tag)
  }
  const untagged = operations.filter((operation) => operation.tags.length === 0)
  if (untagged.length > 0) groupOf('Other').tags.push({ name: 'other', description: '', operations: untagged })
  return [...groups.values()]
}
