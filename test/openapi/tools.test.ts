import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { parse as parseYaml } from 'yaml'
import { openApiTools } from '../../scripts/openapi-tools.ts'
import { PLATFORM_OPENAPI_FILE } from '../../scripts/openapi-platform.ts'
import { OPENAPI_FILE } from '../../scripts/openapi.ts'
import { type House, openHouse } from '../platform-api/house.ts'
import { startPrism, violationsIn } from './prism.ts'
import { openScenes, operationsIn, platformOperations } from './scenes/request.ts'
import { REFUSED, SCENES } from './scenes/scenes.ts'

const ROOT = join(import.meta.dirname, '../..')
const DOCUMENTS = [OPENAPI_FILE, PLATFORM_OPENAPI_FILE]
const require = createRequire(join(openApiTools(), 'package.json'))

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house?.[Symbol.asyncDispose]())

describe('Spectral', () => {
  interface Finding {
    code: string | number
    message: string
    path: (string | number)[]
  }
  const { Spectral, Document } = require('@stoplight/spectral-core') as {
    Spectral: new () => { setRuleset(rules: object): void; run(document: object): Promise<Finding[]> }
    Document: new (text: string, parser: object, source: string) => object
  }
  // Not all rulesets: those for AsyncAPI need a package that is left out.
  const { default: oas } = require('@stoplight/spectral-rulesets/dist/oas') as { default: object }
  const { Json } = require('@stoplight/spectral-parsers') as { Json: object }
  const { extends: base, ...ruleset } = parseYaml(readFileSync(join(ROOT, '.spectral.yaml'), 'utf8')) as {
    extends: string
  }

  async function findingsIn(text: string, source: string): Promise<string[]> {
    const spectral = new Spectral()
    spectral.setRuleset({ ...ruleset, extends: [oas] })
    const findings = await spectral.run(new Document(text, Json, source))
    return findings.map(({ code, message, path }) => `${code} at ${path.join('.')}: ${message}`)
  }

  for (const file of DOCUMENTS) {
    test(`has nothing against ${basename(file)}`, async () => {
      assert.equal(base, 'spectral:oas')
      assert.deepEqual(await findingsIn(readFileSync(file, 'utf8'), file), [])
    })
  }

  test('would find an operation without a description, and an example that its schema refuses', async () => {
    const { paths, ...rest } = JSON.parse(readFileSync(OPENAPI_FILE, 'utf8')) as {
      paths: Record<string, { post: Record<string, unknown> }>
    }
    const { description: _, ...post } = paths['/pets']?.post ?? {}
    const text = JSON.stringify({ ...rest, paths: { '/pets': { post } } })
    const found = (await findingsIn(text.replaceAll('"name":"Rex"', '"name":12'), OPENAPI_FILE)).join('\n')
    assert.match(found, /operation-description at paths\./)
    assert.match(found, /oas3-valid-media-example at paths\./)
  })
})

describe('behind Prism', () => {
  interface Asked {
    method?: string
    headers?: Record<string, string>
    body?: string | Buffer<ArrayBuffer> | undefined
  }

  /** The service's own answer; fails where Prism has something against the request or the answer. */
  async function askThrough(origin: string, path: string, { method = 'GET', headers = {}, body }: Asked) {
    const response = await fetch(origin + path, { method, headers, body: body ?? null, redirect: 'manual' })
    const text = await response.text()
    const violations = violationsIn(response.headers.get('content-type'), text)
    assert.equal(violations, undefined, `${method} ${path}: ${JSON.stringify(violations)}`)
    return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) }
  }

  test('every operation of the animals is asked and answers as its document says, refusals too', async () => {
    const { port } = house.shop.config.baseUrl
    await using prism = await startPrism(OPENAPI_FILE, `http://127.0.0.1:${port}/v1`)
    const asked = new Set<string>()
    const ask = async (status: number, call: string, body?: object, more: Record<string, string> = {}) => {
      const [method = '', path = ''] = call.split(' ')
      const headers = {
        Authorization: `Bearer ${house.shop.keys.production}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...more,
      }
      const answer = await askThrough(prism.origin, path, { method, headers, body: body && JSON.stringify(body) })
      assert.equal(answer.status, status, call)
      asked.add(
        `${method} ${path.split('?', 1)[0]}`
          .replace(/\/pets\/\d+/, '/pets/{petId}')
          .replace(/\/orders\/\d+/, '/orders/{orderId}'),
      )
      return answer
    }
    const { json: rex, headers } = await ask(
      201,
      'POST /pets',
      { name: 'Rex', categoryId: 1 },
      { 'Idempotency-Key': 'one' },
    )
    await ask(201, 'POST /pets', { name: 'Rex', categoryId: 1 }, { 'Idempotency-Key': 'one' })
    await ask(422, 'POST /pets', { name: 'Max', categoryId: 1 }, { 'Idempotency-Key': 'one' })
    const { json: bella } = await ask(201, 'POST /pets', { name: 'Bella', categoryId: 2, status: 'pending' })
    await ask(200, 'GET /pets?limit=1&status=available')
    await ask(200, `GET /pets?id=${rex.id}&id=${bella.id}&categoryId=2&q=be`)
    await ask(200, `GET /pets/${rex.id}`)
    await ask(404, 'GET /pets/4242')
    const ifMatch = { 'If-Match': headers.get('etag') ?? '' }
    await ask(200, `PATCH /pets/${rex.id}`, { name: 'Max' }, ifMatch)
    await ask(412, `PATCH /pets/${rex.id}`, { name: 'Rex' }, ifMatch)
    const { json: order } = await ask(201, 'POST /store/orders', { petId: rex.id })
    await ask(409, 'POST /store/orders', { petId: rex.id })
    await ask(409, `DELETE /pets/${rex.id}`)
    await ask(200, 'GET /store/orders?status=placed')
    await ask(200, `GET /store/orders/${order.id}`)
    await ask(200, `PATCH /store/orders/${order.id}`, { status: 'completed' })
    await ask(409, `PATCH /store/orders/${order.id}`, { status: 'cancelled' })
    await ask(204, `DELETE /pets/${bella.id}`)
    await ask(401, 'GET /pets', undefined, { Authorization: 'Bearer ps_live_nobody' })
    const known = operationsIn(OPENAPI_FILE).map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual([...asked].toSorted(), known.toSorted())

    const wrong = await fetch(`${prism.origin}/pets?limit=0`, { headers: { Authorization: 'Bearer x' } })
    assert.match(JSON.stringify(violationsIn(wrong.headers.get('content-type'), await wrong.text())), /limit/)
  })

  test('every operation of the management interface is asked and answers as its document says', async (t) => {
    const { baseUrl } = house.shop.config
    await using prism = await startPrism(PLATFORM_OPENAPI_FILE, `http://127.0.0.1:${baseUrl.port}/platform/v1`)
    const known = new Set(platformOperations.map(({ id }) => id))
    for (const id of [...Object.keys(SCENES), ...Object.keys(REFUSED)]) assert.ok(known.has(id), `there is no ${id}`)
    // A stream does not end, and Prism waits for its end.
    const operations = platformOperations.filter(({ id }) => id !== 'watchProject')
    const requestOf = await openScenes(house)
    for (const operation of operations) {
      const { id, statuses } = operation
      const { path, ...request } = await requestOf(operation)
      const { status } = await askThrough(prism.origin, path, request)
      const refusal = REFUSED[id]
      if (refusal) assert.equal(status, refusal.status, `${id}: perhaps it can be asked`)
      else assert.ok(status < 300 && statuses.includes(String(status)), `${id} is answered with ${status}`)
    }
    t.diagnostic(`${operations.length} operations, ${Object.keys(REFUSED).length} of them refused`)
  })
})

describe('openapi-typescript', () => {
  let directory: string
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'petstore-generated-'))
    const { default: openapiTS, astToString } = require('openapi-typescript') as {
      default(document: URL): Promise<unknown>
      astToString(tree: unknown): string
    }
    for (const file of DOCUMENTS) {
      const types = astToString(await openapiTS(pathToFileURL(file)))
      writeFileSync(join(directory, `${basename(file, '.json')}.ts`), types)
    }
    symlinkSync(join(openApiTools(), 'node_modules'), join(directory, 'node_modules'))
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
    writeFileSync(join(directory, 'program.ts'), PROGRAM)
  })
  after(() => rmSync(directory, { recursive: true, force: true }))

  test('makes types of both documents that a strict program is written against, and that hold', async () => {
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
    }
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', directory])
    const { browser } = house.operator
    const scopes = ['pets:write', 'keys:read']
    const { json: token } = await browser.post('/projects/petstore/tokens', { name: 'Typed', scopes })
    // Not by a call that blocks: the service runs in this process.
    const { stdout } = await promisify(execFile)(process.execPath, [join(directory, 'program.ts')], {
      env: {
        ...process.env,
        ORIGIN: `http://127.0.0.1:${house.shop.config.baseUrl.port}`,
        KEY: house.shop.keys.production,
        TOKEN: token.token,
      },
    })
    assert.equal(stdout, 'Typed available\nprecondition_failed\nproduction\n')
  })
})

const PROGRAM = `
import createClient from 'openapi-fetch'
import type { components, paths as AnimalPaths } from './openapi.ts'
import type { paths as PlatformPaths } from './openapi.platform.ts'

const { ORIGIN = '', KEY = '', TOKEN = '' } = process.env
const animals = createClient<AnimalPaths>({ baseUrl: ORIGIN + '/v1', headers: { Authorization: 'Bearer ' + KEY } })
const platform = createClient<PlatformPaths>({
  baseUrl: ORIGIN + '/platform/v1',
  headers: { Authorization: 'Bearer ' + TOKEN },
})

const body: components['schemas']['NewPet'] = { name: 'Typed', categoryId: 1 }
const added = await animals.POST('/pets', { body })
if (added.error) throw new Error(added.error.message)
const { name, status }: { name: string; status: 'available' | 'pending' | 'sold' } = added.data
console.log(name, status)

const params = { path: { petId: added.data.id }, header: { 'If-Match': '"another"' } }
const refused = await animals.PATCH('/pets/{petId}', { params, body: { name: 'Nobody' } })
console.log(refused.error?.code)

const keys = await platform.GET('/projects/{project}/keys', { params: { path: { project: 'petstore' } } })
for (const { environment } of keys.data ?? []) if (environment === 'production') console.log(environment)

/** Is only compiled. */
export async function wrong() {
  // @ts-expect-error -- an animal has a category
  await animals.POST('/pets', { body: { name: 'No category' } })
  // @ts-expect-error -- there is no such status
  await animals.GET('/pets', { params: { query: { status: 'lost' } } })
  // @ts-expect-error -- a route needs its project
  await platform.GET('/projects/{project}/keys', {})
}
`
