import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { PLATFORM_OPENAPI_FILE } from '../../scripts/openapi-platform.ts'
import { TOKEN_SCOPES } from '../../src/features/keys/tokens/scopes.ts'
import type { PlatformDocument } from '../../src/platform-api/openapi/document.ts'
import { type DashboardRouteNeeds, dashboardRoutes } from '../../src/platform-api/route-table.ts'
import { FOR_ANY_TOKEN, SCOPE_OF_ROUTE } from '../../src/platform-api/token-scopes.ts'
import { startTestPetstore } from '../harness/petstore.ts'

const document = JSON.parse(readFileSync(PLATFORM_OPENAPI_FILE, 'utf8')) as PlatformDocument
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
)
const routes = dashboardRoutes({} as DashboardRouteNeeds)

test('every route of the management interface has its operation, and no other has', () => {
  const named = (one: { method: string; path: string }) => `${one.method} ${one.path}`
  assert.deepEqual(
    operations.map(named).toSorted(),
    routes.map(named).toSorted(),
    'write openapi.platform.json anew with: npm run openapi',
  )
})

test('an operation is open, for sessions, or for sessions and tokens with one scope, as its route is', () => {
  for (const { id, role } of routes) {
    const operation = operations.find(({ operationId }) => operationId === id)
    const scope = SCOPE_OF_ROUTE[id]
    const session = { session: [] }
    const scopes = FOR_ANY_TOKEN.has(id) ? [] : scope === undefined ? undefined : [scope]
    const expected = role === 'public' ? [] : scopes === undefined ? [session] : [session, { token: scopes }]
    assert.deepEqual(operation?.security, expected, id)
  }
  const named = new Set(operations.flatMap(({ security }) => security.flatMap(({ token = [] }) => token)))
  assert.deepEqual([...named].toSorted(), TOKEN_SCOPES.toSorted(), 'a scope that no operation needs')
})

test('every parameter and every operation is described', () => {
  for (const { operationId, summary, description, parameters } of operations) {
    assert.match(summary, /^[A-Z].*[^.]$/, operationId)
    assert.match(description, /\.$/, operationId)
    for (const { name, description: said } of parameters) assert.ok(said, `${operationId} ${name}`)
  }
})

test('the service serves the document with its own address, to everybody', async () => {
  await using shop = await startTestPetstore()
  const { origin } = shop.config.baseUrl
  for (const path of ['/platform/v1/openapi.json', '/docs/platform/openapi.json']) {
    const answer = await fetch(origin + path)
    assert.equal(answer.status, 200, path)
    const served = (await answer.json()) as PlatformDocument
    assert.deepEqual(served.servers, [{ url: `${origin}/platform/v1`, description: 'Management' }])
    assert.equal(served.externalDocs.url, `${origin}/docs/`)
    const { servers, externalDocs } = document
    assert.deepEqual({ ...served, servers, externalDocs }, document)
  }
  const page = await (await fetch(`${origin}/docs/platform/`)).text()
  assert.match(page, /content="\.\/openapi\.json"[^]*src="\.\/reference\.js"/)
  assert.equal((await fetch(`${origin}/docs/platform/reference.js`)).status, 200)
})
