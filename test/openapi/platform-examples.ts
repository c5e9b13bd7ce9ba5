import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PLATFORM_OPENAPI_FILE } from '../../scripts/openapi-platform.ts'
import { documentJson } from '../../src/platform/http/openapi/json.ts'
import type { House } from '../platform-api/house.ts'
import { openScenes, type Operation, platformOperations, type SceneRequest } from './scenes/request.ts'
import { REFUSED } from './scenes/scenes.ts'

interface Schema {
  $ref?: string
  type?: string
}

interface ResponseObject {
  $ref?: string
  content?: Record<string, { schema: Schema }>
}

interface DocumentOperation {
  operationId: string
  parameters: object[]
  security?: object[]
  responses: Record<string, ResponseObject>
}

interface Document {
  paths: Record<string, Record<string, DocumentOperation>>
  components: { securitySchemes: Record<string, object> }
}

/** A request of an operation, and the status that has to answer it. */
interface Example {
  status: number
  request: SceneRequest
}

/** A stream does not end. */
const ENDLESS = new Set(['watchProject'])
/** Who has done it has no session or no project any more in which to be refused a wrong body. */
const DONE_ONCE = new Set(['changePassword', 'deleteProject'])

const BY_HEADER = ['Cookie', 'Origin'].map((name) => ({ in: 'header', name, schema: { type: 'string' } }))

/**
 * The management document as a file, and beside it for every operation the requests that Specmatic makes by it: one
 * that succeeds, one with a wrong body. Nothing is left for it to make up: a password, a hostname or a link that it
 * invents leads nowhere, and of the scopes of a token alone it would try every combination.
 */
export async function writePlatformExamples(house: House, directory: string): Promise<string> {
  const document = JSON.parse(readFileSync(PLATFORM_OPENAPI_FILE, 'utf8')) as Document
  const file = join(directory, 'openapi.platform.json')
  const folder = join(directory, 'openapi.platform_examples')
  mkdirSync(folder)
  const requestOf = await openScenes(house)
  const examplesOf = async (operation: Operation): Promise<Example[]> => {
    const request = await requestOf(operation)
    const another = DONE_ONCE.has(operation.id) ? await requestOf(operation) : request
    return [succeeding(operation, request), ...wrong(another)]
  }
  for (const operation of platformOperations) {
    const methods = document.paths[operation.path] as Record<string, DocumentOperation>
    const method = operation.method.toLowerCase()
    const described = methods[method] as DocumentOperation
    if (ENDLESS.has(operation.id)) {
      delete methods[method]
      continue
    }
    const examples = await examplesOf(operation)
    for (const { status, request } of examples) {
      const { content } = resolve(document, described.responses[status] as ResponseObject)
      const schema = content && resolve(document, content['application/json']?.schema as Schema)
      writeFileSync(join(folder, `${operation.id}-${status}.json`), exampleJson(request, status, schema))
    }
    const asked = new Set(examples.map(({ status }) => String(status)))
    methods[method] = {
      ...described,
      // Specmatic knows no cookies, and would send one token to all.
      security: examples.some(({ request }) => request.headers.Authorization) ? [{ token: [] }] : [],
      parameters: [...described.parameters, ...BY_HEADER],
      responses: Object.fromEntries(Object.entries(described.responses).filter(([status]) => asked.has(status))),
    }
  }
  delete document.components.securitySchemes.session
  writeFileSync(file, documentJson(document))
  return file
}

/** Or the refusal, where an operation cannot succeed in a test. */
function succeeding({ id, statuses }: Operation, request: SceneRequest): Example {
  return { status: REFUSED[id]?.status ?? Number(statuses.findLast((one) => one.startsWith('2'))), request }
}

function wrong(request: SceneRequest): Example[] {
  if (typeof request.body !== 'string' || request.body === '{}') return []
  const fields = Object.keys(JSON.parse(request.body) as object)
  const body = JSON.stringify(Object.fromEntries(fields.map((name) => [name, { wrong: true }])))
  return [{ status: 400, request: { ...request, body } }]
}

/** `partial`: of the answer only its kind is given, and the document says what else it has. */
function exampleJson({ method, path, headers, body }: SceneRequest, status: number, schema: Schema | undefined) {
  const sent = typeof body === 'string' ? (JSON.parse(body) as object) : body?.toString()
  const answer = schema && { body: schema.type === 'array' ? [] : {} }
  return JSON.stringify({
    partial: { 'http-request': { method, path, headers, body: sent }, 'http-response': { status, ...answer } },
  })
}

function resolve<T extends { $ref?: string }>(document: Document, part: T): T {
  if (part.$ref === undefined) return part
  const names = part.$ref.slice('#/'.length).split('/')
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document) as T
}
