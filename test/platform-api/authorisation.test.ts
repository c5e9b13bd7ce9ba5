import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dashboardRoutes, type DashboardRouteNeeds } from '../../src/platform-api/route-table.ts'
import type { DashboardRoute, RouteRole } from '../../src/platform-api/route.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import type { Answer, Browser } from './browser.ts'
import { expect, type House, openHouse, PASSWORD } from './house.ts'

/** Rows of the table without a service behind them: enough to name a test for each. */
const routes = dashboardRoutes({} as DashboardRouteNeeds)

type Visitor = 'nobody' | 'stranger' | 'viewer' | 'editor' | 'owner' | 'operator'
const VISITORS: Visitor[] = ['nobody', 'stranger', 'viewer', 'editor', 'owner', 'operator']
const RANK: RouteRole[] = ['viewer', 'editor', 'owner']

let house: House
let project: string
let elsewhere: string
let browsers: Record<Visitor, Browser>

before(async () => {
  house = await openHouse()
  const [mine, theirs] = [await house.project(), await house.project()]
  project = mine.slug
  elsewhere = theirs.slug
  browsers = {
    nobody: house.browser(),
    stranger: theirs.owner.browser,
    viewer: (await house.member(mine.owner, project, 'viewer')).browser,
    editor: (await house.member(mine.owner, project, 'editor')).browser,
    owner: mine.owner.browser,
    // An operator runs the platform and is no member of other people's projects.
    operator: house.operator.browser,
  }
})
after(() => house?.[Symbol.asyncDispose]())

test('the table that is tested is the one that is served', () => {
  const facts = ({ id, method, path, role }: DashboardRoute) => `${id} ${method} ${path} ${role}`
  assert.deepEqual(house.shop.petstore.dashboardRoutes.map(facts), routes.map(facts))
  assert.equal(new Set(routes.map(({ id }) => id)).size, routes.length)
  assert.equal(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size, routes.length)
})

test('what is open to everybody is this and nothing else', () => {
  const open = routes.filter(({ role }) => role === 'public').map(({ id }) => id)
  assert.deepEqual(open.sort(), [
    'beginPasskeySignIn',
    'confirmAddress',
    'forgotPassword',
    'getSession',
    'inspectLink',
    'resetPassword',
    'sandboxProviderSettings',
    'sandboxProviderTemplate',
    'signIn',
    'signInByPasskey',
    'signUp',
    'takeSecondStep',
  ])
})

test('every route below a project asks for a role in it, and no other route does', () => {
  for (const { id, path, role } of routes) {
    assert.equal(/^\/projects\/\{project\}(?:\/|$)/.test(path), RANK.includes(role), id)
  }
})

for (const route of routes) {
  describe(`${route.method} ${route.path} (${route.role})`, () => {
    for (const visitor of VISITORS) {
      const expected = verdict(route, visitor)
      test(`${visitor}: ${expected}`, async () => {
        const path = fill(route, { project, environment: 'production', slug: 'nowhere' })
        // After admission comes the body: those who were admitted learn that it is no JSON, and nothing changes.
        const visit = route.method === 'GET' ? {} : { method: route.method, body: '{' }
        const answer = await browsers[visitor].send(path, visit)
        if (expected === 'admitted') assertAdmitted(route, answer)
        else assert.deepEqual([answer.status, answer.json.status], [expected, expected], answer.text)
      })
    }
  })
}

function verdict({ role }: DashboardRoute, visitor: Visitor): 'admitted' | 401 | 403 | 404 {
  if (role === 'public') return 'admitted'
  if (visitor === 'nobody') return 401
  if (role === 'session') return 'admitted'
  if (role === 'operator') return visitor === 'operator' ? 'admitted' : 403
  if (visitor === 'stranger' || visitor === 'operator') return 404
  return RANK.indexOf(visitor as RouteRole) >= RANK.indexOf(role) ? 'admitted' : 403
}

function assertAdmitted(route: DashboardRoute, answer: Answer): void {
  if (route.streams) {
    assert.ok([400, 413, 415].includes(answer.status), answer.text)
  } else if (route.method !== 'GET') {
    assert.equal(answer.status, 400, answer.text)
    assert.match(answer.json.message, /not valid JSON/)
  } else if (answer.status !== 200) {
    assert.equal(answer.status, 404, answer.text)
    assert.doesNotMatch(answer.json.message, /no project at this address/)
  }
}

const fill = ({ path }: DashboardRoute, values: Record<string, string>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1')

describe("another project's child under one's own path is 404, also for an owner", () => {
  /** What each route would do if it found the child. */
  const bodies: Record<string, unknown> = {
    changeRole: { role: 'viewer' },
    rotateKey: {},
    updatePet: { status: 'sold' },
    updateOrder: { status: 'cancelled' },
    redirectDomain: { to: 'www.example.test' },
    forwardedMessage: { url: 'http://localhost/', durationMs: 1 },
    removeSecondFactor: { currentPassword: PASSWORD },
    finishConnect: { state: 'of somebody else' },
  }
  /** Names the content itself, which belongs to nobody. */
  const NO_CHILDREN = new Set(['project', 'environment', 'sha256'])
  const childrenOf = ({ path }: DashboardRoute) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string).filter((name) => !NO_CHILDREN.has(name))
  /** The sandbox belongs to everybody who may sign in. */
  const isCommon = ({ role, path }: DashboardRoute) => role === 'operator' || path.startsWith('/sandbox/')
  const withChild = routes.filter((route) => !isCommon(route) && childrenOf(route).length > 0)
  let children: Record<string, string>

  before(async () => {
    const { stranger } = browsers
    const below = `/projects/${elsewhere}`
    const store = `${below}/environments/production`
    const pet = expect(201, await stranger.post(`${store}/pets`, { name: 'Rex', categoryId: 1 }))
    const order = expect(201, await stranger.post(`${store}/store/orders`, { petId: pet.id }))
    expect(
      200,
      await browsers.operator.send(`/operator/projects/${elsewhere}/plan`, { method: 'PUT', body: { plan: 'pro' } }),
    )
    await publishOwnSite(house.shop.petstore, elsewhere)
    children = {
      key: expect(201, await stranger.post(`${below}/keys`, { environment: 'production' })).id,
      ...(await webhookOf(below)),
      token: expect(201, await stranger.post(`${below}/tokens`, { name: 'CI', scopes: ['deploys:write'] })).id,
      invitation: expect(201, await stranger.post(`${below}/invitations`, { role: 'owner' })).id,
      account: expect(200, await stranger.get(`${below}/members`))[0].id,
      // There is none: the passkeys of others cannot be named.
      factor: 'fac_of_somebody_else',
      session: expect(200, await stranger.get('/sessions'))[0].id,
      deploy: expect(200, await stranger.get(`${below}/deploys`))[0].id,
      hostname: expect(201, await stranger.post(`${below}/domains`, { hostname: 'shop.example.test' })).hostname,
      petId: String(pet.id),
      orderId: String(order.id),
    }
  })

  /** A webhook with a message, and a command line that listens. */
  async function webhookOf(below: string) {
    const { stranger } = browsers
    const webhook = expect(201, await stranger.post(`${below}/webhooks`, { url: 'https://hooks.example.com/' })).id
    return {
      webhook,
      message: expect(201, await stranger.post(`${below}/webhooks/${webhook}/test`)).id,
      listener: expect(201, await stranger.post(`${below}/listeners`, {})).id,
    }
  }

  for (const route of withChild) {
    test(`${route.method} ${route.path}`, async () => {
      for (const name of childrenOf(route)) assert.ok(children[name], `add a ${name} of another project to this test`)
      const path = fill(route, { project, environment: 'production', ...children })
      const body = bodies[route.id] ?? {}
      const without = route.method === 'GET' || route.method === 'DELETE'
      expect(404, await browsers.owner.send(path, { method: route.method, ...(without ? {} : { body }) }))
      const own = fill(route, { project: elsewhere, environment: 'production', ...children })
      expect(404, await browsers.owner.send(own, route.method === 'GET' ? {} : { method: route.method, body }))
    })
  }

  test('and the child is untouched', async () => {
    const { stranger } = browsers
    const below = `/projects/${elsewhere}`
    const [pet] = expect(200, await stranger.get(`${below}/environments/production/pets`))
    assert.equal(pet.status, 'pending')
    const [key] = expect(200, await stranger.get(`${below}/keys`))
    assert.equal(key.state, 'active')
    assert.equal(expect(200, await stranger.get(`${below}/invitations`)).length, 1)
  })
})
