import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { OPENAPI_FILE } from '../../scripts/openapi.ts'
import { ERROR_STATUS, type ErrorCode } from '../../src/platform/errors.ts'
import { etagOf } from '../../src/platform/http/etag.ts'
import { startTestPetstore } from '../harness/petstore.ts'
import { problemsOf } from '../interface/json-schema.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const document = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as Document
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
)

test('the service serves the same document, with its own two addresses and without a key', async () => {
  await using shop = await startTestPetstore()
  const { baseUrl, stagingUrl } = shop.config
  for (const environment of ['production', 'staging'] as const) {
    const answer = await shop.call('/openapi.json', { environment, headers: { Authorization: '' } })
    const served = (await answer.json()) as Document
    assert.deepEqual(
      served.servers.map(({ url }) => url),
      [baseUrl.href, stagingUrl.href],
    )
    assert.deepEqual({ ...served, servers: document.servers }, document)
  }
})

test('validators of the examples look like those that are answered', () => {
  const shown = readFileSync(OPENAPI_FILE, 'utf8').match(/(?<="example": ")\\"[^"\\]+\\"(?=")/g) ?? []
  assert.ok(shown.length > 0)
  const form = (etag: string) => etag.replaceAll(/[0-9a-v]/g, 'x')
  for (const example of shown) assert.equal(form(JSON.parse(`"${example}"`) as string), form(etagOf('{}')))
})

test('both documents lint without an error or a warning', async () => {
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const lint = promisify(execFile)(process.execPath, [cli, 'lint', '--format=json'], { cwd: ROOT, env })
  const { stdout } = await lint.catch((failed: { stdout: string }) => failed)
  // One report behind the other.
  const reports = JSON.parse(`[${stdout.trim().replaceAll('\n}{\n', '\n},{\n')}]`) as {
    totals: object
    problems: unknown[]
  }[]
  assert.equal(reports.length, 2)
  for (const { totals, problems } of reports) {
    assert.deepEqual(problems, [])
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 })
  }
})

test('the operations have their names, the tag, their stability and their markers', () => {
  assert.equal(document.info.version, '1.0.0')
  assert.deepEqual(
    Object.fromEntries(
      operations.map((one) => [`${one.method} ${one.path}`, `${one.operationId} ${one['x-stability']}`]),
    ),
    {
      'GET /pets': 'listPets stable',
      'POST /pets': 'createPet stable',
      'GET /pets/{petId}': 'getPet stable',
      'PATCH /pets/{petId}': 'updatePet beta',
      'DELETE /pets/{petId}': 'deletePet beta',
      'GET /store/orders': 'listOrders experimental',
      'POST /store/orders': 'createOrder beta',
      'GET /store/orders/{orderId}': 'getOrder beta',
      'PATCH /store/orders/{orderId}': 'updateOrder beta',
    },
  )
  for (const { tags } of operations) assert.deepEqual(tags, ['animals'])
  const list = operations.find((one) => one.operationId === 'listPets')
  assert.deepEqual(
    list?.parameters.filter((one) => one['x-stability'] === 'beta').map(({ name }) => name),
    ['id', 'categoryId', 'q', 'order'],
  )

  const deprecated = operations.filter((one) => one.deprecated)
  assert.deepEqual(
    deprecated.map((one) => [one.operationId, one['x-deprecated-sunset']]),
    [['getPet', '2030-12-05']],
  )
  const hidden = operations.filter((one) => one['x-hideTryItPanel'])
  assert.deepEqual(
    hidden.map(({ operationId }) => operationId),
    ['listOrders'],
  )
})

test('Store and Pets are navigation groups without operations of their own', () => {
  assert.deepEqual(
    document.tags.map(({ name }) => name),
    ['Store', 'Pets', 'animals'],
  )
  assert.deepEqual(
    document['x-tagGroups'].map(({ name }) => name),
    ['Store', 'Pets'],
  )
  assert.deepEqual(
    operations.filter(({ tags }) => tags.includes('Store') || tags.includes('Pets')),
    [],
  )
})

test('two servers and one bearer scheme, which every operation requires', () => {
  assert.deepEqual(
    document.servers.map(({ description }) => description),
    ['Production', 'Staging'],
  )
  for (const { url } of document.servers) assert.match(url, /^https:\/\/.*\/v1$/)
  const [[name, scheme]] = Object.entries(document.components.securitySchemes) as [[string, Json]]
  assert.deepEqual([scheme.type, scheme.scheme], ['http', 'bearer'])
  for (const { security } of operations) assert.deepEqual(security, [{ [name]: [] }])
})

test('the document has no part that says what the contract does not', () => {
  const parts = ['openapi', 'info', 'servers', 'security', 'tags', 'x-tagGroups', 'paths', 'components']
  assert.deepEqual(Object.keys(document), parts)
  assert.deepEqual(Object.keys(document.components), ['securitySchemes', 'schemas', 'headers'])
})

test('the contract’s shapes and limits stand in the document as they are', () => {
  const schema = (name: string) => resolve(`#/components/schemas/${name}`)
  assert.deepEqual(schema('NewPet').required, ['name', 'categoryId'])
  assert.deepEqual(Object.keys(schema('NewPet').properties as Json), ['name', 'categoryId', 'status'])
  assert.deepEqual(Object.keys(schema('Pet').properties as Json).toSorted(), ['categoryId', 'id', 'name', 'status'])
  assert.ok((schema('Pet').required as string[]).includes('id'))
  assert.deepEqual(schema('Pets').items, { $ref: '#/components/schemas/Pet' })
  assert.deepEqual(schema('PetStatus').enum, ['available', 'pending', 'sold'])
  assert.deepEqual(schema('Error').required, ['code', 'message', 'status'])
  const limit = operation('listPets').parameters.find(({ name }) => name === 'limit')
  assert.deepEqual(limit?.schema, {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 20,
    description: limit?.description,
  })
})

test('every operation declares every error with its body, its example and its headers', () => {
  const always = [401, 403, 429, 500, 503]
  for (const { operationId, responses, requestBody } of operations) {
    const expected = requestBody ? [...always, 400, 413, 415] : always
    for (const status of expected) assert.ok(responses[status], `${operationId} declares no ${status}`)
    for (const [status, response] of Object.entries(responses)) {
      assert.ok(response.headers?.['X-Request-Id'], `${operationId} ${status} has no X-Request-Id`)
      if (Number(status) < 400) continue
      const media = response.content?.['application/json']
      assert.deepEqual(media?.schema, { $ref: '#/components/schemas/Error' })
      const { code, status: told } = media.example as { code: ErrorCode; status: number }
      assert.equal(told, Number(status))
      assert.equal(ERROR_STATUS[code], told)
    }
    assert.ok(responses[401]?.headers?.['WWW-Authenticate'])
    assert.ok(responses[429]?.headers?.['Retry-After'])
    assert.ok(responses[503]?.headers?.['Retry-After'])
  }
  const getPet = operation('getPet').responses[200]
  for (const name of ['Deprecation', 'Sunset', 'Link']) assert.ok(getPet?.headers?.[name], `getPet has no ${name}`)
})

test('every example is valid by its own schema', () => {
  let examples = 0
  const check = (where: string, { schema, example }: Media) => {
    assert.notEqual(example, undefined, `${where} has no example`)
    assert.deepEqual(problemsOf(schema, example, resolve), [], where)
    examples++
  }
  for (const { operationId, requestBody, responses, parameters } of operations) {
    if (requestBody) check(operationId, requestBody.content['application/json'] as Media)
    for (const [status, { content }] of Object.entries(responses)) {
      if (content) check(`${operationId} ${status}`, content['application/json'] as Media)
    }
    for (const parameter of parameters) {
      assert.ok(parameter.description, `${operationId} ${parameter.name} is not described`)
      if (parameter.in !== 'query') check(`${operationId} ${parameter.name}`, parameter)
    }
  }
  for (const [name, header] of Object.entries(document.components.headers)) check(name, header)
  assert.ok(examples > 50)
})

function operation(id: string): Operation {
  const found = operations.find(({ operationId }) => operationId === id)
  assert.ok(found, `there is no ${id}`)
  return found
}

function resolve(reference: string): Json {
  return reference
    .slice(2)
    .split('/')
    .reduce<Json>((part, key) => part[key] as Json, document as unknown as Json)
}

type Json = Record<string, unknown>

interface Media {
  schema: Json
  example?: unknown
}

interface Response {
  headers?: Record<string, unknown>
  content?: Record<string, Media>
}

interface Operation {
  operationId: string
  tags: string[]
  deprecated?: boolean
  security: unknown
  parameters: (Media & { name: string; in: string; description?: string; 'x-stability'?: string })[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
  'x-stability': string
  'x-deprecated-sunset'?: string
  'x-hideTryItPanel'?: boolean
}

interface Document {
  info: { version: string }
  servers: { url: string; description: string }[]
  tags: { name: string }[]
  'x-tagGroups': { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Json; headers: Record<string, Media>; securitySchemes: Json }
}
