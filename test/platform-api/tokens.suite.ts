import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { mintToken } from '../../src/features/keys/format.ts'
import { TOKEN_SCOPES, type TokenScope } from '../../src/features/keys/tokens/scopes.ts'
import { DAY_MS } from '../../src/platform/clock.ts'
import { dashboardRoutes, type DashboardRouteNeeds } from '../../src/platform-api/route-table.ts'
import { FOR_ANY_TOKEN, SCOPE_OF_ROUTE } from '../../src/platform-api/token-scopes.ts'
import type { Answer } from './browser.ts'
import { expect, type House, type Person } from './house.ts'

const routes = dashboardRoutes({} as DashboardRouteNeeds)

/** What only people who are signed in may do, however much a token is allowed. */
const FOR_PEOPLE = [
  'beginConnect',
  'changeRole',
  'createInvitation',
  'createProject',
  'createToken',
  'deleteProject',
  'finishConnect',
  'leaveProject',
  'listInvitations',
  'listTokens',
  'readNotifications',
  'removeMember',
  'revokeToken',
  'watchProject',
  'withdrawInvitation',
]

/** Programs that manage a project in somebody's name. */
export function tokenGuarantees(house: () => House): void {
  const make = async ({ browser }: Person, slug: string, scopes: readonly TokenScope[], more = {}) =>
    expect(201, await browser.post(`/projects/${slug}/tokens`, { name: 'CI', scopes, ...more }))
  const idsOf = async ({ browser }: Person, slug: string): Promise<Map<string, string>> => {
    const members: { id: string; email: string }[] = expect(200, await browser.get(`/projects/${slug}/members`))
    return new Map(members.map(({ id, email }) => [email, id]))
  }
  const as = (token: string) => {
    const browser = house().browser()
    // Neither cookies nor an origin: what a program sends.
    const headers = { Authorization: `Bearer ${token}`, Origin: undefined, 'Sec-Fetch-Site': undefined }
    return (path: string, visit: { method?: string; body?: unknown } = {}) => browser.send(path, { ...visit, headers })
  }

  describe('tokens', () => {
    test('every route of projects has a scope, or is for people', () => {
      const below = routes.filter(({ path }) => path.startsWith('/projects')).map(({ id }) => id)
      const known = [...Object.keys(SCOPE_OF_ROUTE), ...FOR_PEOPLE]
      assert.deepEqual(below.toSorted(), known.toSorted())
    })

    test('each scope opens its own routes and no other, and writing includes reading', async () => {
      const { slug, owner } = await house().project()
      const values: Record<string, string> = { project: slug, environment: 'production' }
      const programs = new Map<string, ReturnType<typeof as>>()
      const ask = async (scopes: readonly TokenScope[], { method, path }: (typeof routes)[number]) => {
        const name = scopes.join()
        const call = programs.get(name) ?? as((await make(owner, slug, scopes)).token)
        programs.set(name, call)
        const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '1')
        return call(at, method === 'GET' ? {} : { method, body: '{' })
      }
      for (const route of routes) {
        if (route.role === 'public') continue
        const [neededNoun, neededVerb] = SCOPE_OF_ROUTE[route.id]?.split(':') ?? []
        const isOpenTo = (scope: TokenScope) => {
          const [noun, verb] = scope.split(':')
          return FOR_ANY_TOKEN.has(route.id) || (noun === neededNoun && (verb === neededVerb || verb === 'write'))
        }
        for (const scope of TOKEN_SCOPES.filter(isOpenTo)) {
          const { status } = await ask([scope], route)
          assert.ok(status !== 401 && status !== 403, `${scope} ${route.id}: ${status}`)
        }
        // What all of them together do not open, none of them opens.
        const others = TOKEN_SCOPES.filter((scope) => !isOpenTo(scope))
        if (others.length === 0) continue
        const { status, json } = await ask(others, route)
        assert.equal(status, 403, `${others} ${route.id}`)
        assert.match(json.message, /^(?:No token can do this|This token lacks the scope )/)
      }
    })

    test('a deploy token deploys, and the audit log names it with its maker', async () => {
      const { slug, owner } = await house().project()
      const { token, hint, madeBy, state } = await make(owner, slug, ['deploys:write'])
      assert.match(token, /^ps_pat_[0-9A-Za-z]{38}$/)
      assert.deepEqual([madeBy.email, state, hint.startsWith('ps_pat_')], [owner.email, 'active', true])
      const call = as(token)
      const page = '<h1>Kennel</h1>'
      const sha256 = createHash('sha256').update(page).digest('hex')
      const files = [{ path: 'index.html', sha256, bytes: page.length }]
      const deploy = () => call(`/projects/${slug}/deploys`, { method: 'POST', body: { files } })
      assert.equal(expect(200, await deploy()).state, 'incomplete')
      expect(204, await call(`/projects/${slug}/blobs/${sha256}`, { method: 'PUT', body: page }))
      assert.equal(expect(201, await deploy()).state, 'deployed')
      const entries = expect(200, await owner.browser.get(`/projects/${slug}/audit`))
      const { actor } = entries.find(({ verb }: { verb: string }) => verb === 'deploy.create')
      assert.deepEqual([actor.kind, actor.name], ['token', `CI (token of ${owner.email})`])
    })

    test('what is not a token, not known, expired or revoked is a 401 that says so', async () => {
      const { slug, owner } = await house().project()
      const { token, id } = await make(owner, slug, ['project:read'], { expiresInDays: 1 })
      const [longer, path] = [await make(owner, slug, ['project:read']), `/projects/${slug}`]
      expect(200, await as(token)(path))
      const listed = expect(200, await owner.browser.get(`${path}/tokens`))
      const used = listed.find((each: { id: string }) => each.id === id)
      assert.equal(used.lastUsedAt, new Date(house().clock.now()).toISOString())
      for (const junk of ['', 'x', `${token}x`, token.replace('pat', 'live')]) {
        assert.match(expect(401, await as(junk)(path)).message, /not a Petstore token/)
      }
      assert.match(expect(401, await as(mintToken())(path)).message, /not known/)
      for (const _again of [1, 2]) expect(200, await owner.browser.delete(`${path}/tokens/${longer.id}`))
      const told = expect(200, await owner.browser.get(`${path}/audit?about=token`))
      const ends = told.filter(({ verb }: { verb: string }) => verb === 'token.revoke')
      assert.equal(ends.length, 1, 'what changes nothing is not told')
      const refused = await as(longer.token)(path)
      assert.match(expect(401, refused).message, /revoked/)
      assert.equal(refused.headers['www-authenticate'], 'Bearer error="invalid_token"')
      await house().travel(DAY_MS, owner)
      assert.match(expect(401, await as(token)(path)).message, /expired/)
      const shown = expect(200, await owner.browser.get(`${path}/tokens`))
      assert.deepEqual(
        shown.map((each: { id: string; state: string }) => `${each.id === id} ${each.state}`).toSorted(),
        ['false revoked', 'true expired'],
      )
      assert.ok(!JSON.stringify(shown).includes(token), 'only the hash is stored')
    })

    test('a token can do no more than its maker can now, and nothing in another project of theirs', async () => {
      const [{ slug, owner }, other] = [await house().project(), await house().project()]
      const editor = await house().member(owner, slug, 'editor')
      const { token } = await make(editor, slug, ['project:write', 'keys:write'])
      const call = as(token)
      const rename = () => call(`/projects/${slug}`, { method: 'PATCH', body: { name: 'Mine' } })
      assert.match(expect(403, await rename()).message, /needs the role owner/)
      const members = expect(200, await owner.browser.get(`/projects/${slug}/members`))
      const { id } = members.find(({ email }: Person) => email === editor.email)
      expect(204, await owner.browser.patch(`/projects/${slug}/members/${id}`, { role: 'owner' }))
      expect(200, await rename())
      for (const requireSecondFactor of [true, false]) {
        const lock = await call(`/projects/${slug}`, { method: 'PATCH', body: { requireSecondFactor } })
        assert.match(expect(403, lock).message, /for people who are signed in/)
      }
      expect(204, await owner.browser.patch(`/projects/${slug}/members/${id}`, { role: 'viewer' }))
      expect(401, await call(`/projects/${slug}/keys`, { method: 'POST', body: { environment: 'staging' } }))
      const both = await make(owner, slug, ['project:read'])
      const { slug: second } = expect(201, await owner.browser.post('/projects', { slug: `${slug}-two` }))
      for (const elsewhere of [second, other.slug]) expect(404, await as(both.token)(`/projects/${elsewhere}`))
    })

    test('end with the membership of their maker, or go on with whoever takes them over', async () => {
      const { slug, owner } = await house().project()
      const [one, two] = [await house().member(owner, slug, 'editor'), await house().member(owner, slug, 'editor')]
      const [ended, kept] = [await make(one, slug, ['project:read']), await make(two, slug, ['project:read'])]
      const members = expect(200, await owner.browser.get(`/projects/${slug}/members`))
      const idOf = (person: Person) => members.find(({ email }: Person) => email === person.email).id
      expect(204, await owner.browser.delete(`/projects/${slug}/members/${idOf(one)}`))
      expect(204, await owner.browser.delete(`/projects/${slug}/members/${idOf(two)}?keysTo=${idOf(owner)}`))
      assert.match(expect(401, await as(ended.token)(`/projects/${slug}`)).message, /revoked/)
      expect(200, await as(kept.token)(`/projects/${slug}`))
      const shown = expect(200, await owner.browser.get(`/projects/${slug}/tokens`))
      const makers = shown.map(({ id, madeBy }: { id: string; madeBy: Person }) => [id === kept.id, madeBy.email])
      assert.deepEqual(makers.toSorted(), [
        [false, one.email],
        [true, owner.email],
      ])
    })

    test('do no more for whoever takes them over than their maker could, nor for the next one', async () => {
      const { slug, owner } = await house().project()
      const [one, two] = [await house().member(owner, slug, 'editor'), await house().member(owner, slug, 'editor')]
      const ids = await idsOf(owner, slug)
      const { token } = await make(one, slug, ['project:write', 'keys:write'])
      const rename = () => as(token)(`/projects/${slug}`, { method: 'PATCH', body: { slug: `${slug}-taken` } })
      const mint = () => as(token)(`/projects/${slug}/keys`, { method: 'POST', body: { environment: 'staging' } })
      expect(204, await one.browser.post(`/projects/${slug}/leave?keysTo=${ids.get(owner.email)}`))
      assert.match(expect(403, await rename()).message, /needs the role owner, .* somebody who was editor/)
      assert.equal(expect(200, await as(token)(`/projects/${slug}`)).role, 'editor')
      assert.equal(expect(200, await as(token)('/projects'))[0].role, 'editor')
      expect(201, await mint())

      const other = await house().member(owner, slug, 'owner')
      const leave = ({ browser }: Person, to: string) => browser.post(`/projects/${slug}/leave?keysTo=${to}`)
      expect(204, await leave(owner, ids.get(two.email)!))
      const otherId = (await idsOf(other, slug)).get(other.email)!
      expect(204, await leave(two, otherId))
      expect(403, await rename())
      expect(201, await mint())
    })

    test('of somebody who becomes a viewer end too, unless another member takes them over', async () => {
      const { slug, owner } = await house().project()
      const [one, two] = [await house().member(owner, slug, 'editor'), await house().member(owner, slug, 'editor')]
      const [ended, kept] = [await make(one, slug, ['keys:write']), await make(two, slug, ['keys:write'])]
      const ids = await idsOf(owner, slug)
      const demote = ({ email }: Person, search: string) =>
        owner.browser.patch(`/projects/${slug}/members/${ids.get(email)}${search}`, { role: 'viewer' })
      expect(204, await demote(one, ''))
      expect(204, await demote(two, `?keysTo=${ids.get(owner.email)}`))
      assert.match(expect(401, await as(ended.token)(`/projects/${slug}/keys`)).message, /revoked/)
      expect(201, await as(kept.token)(`/projects/${slug}/keys`, { method: 'POST', body: { environment: 'staging' } }))
      const entries = expect(200, await owner.browser.get(`/projects/${slug}/audit?about=member`))
      const changes = entries.filter(({ verb }: { verb: string }) => verb === 'member.change')
      const became = changes.map(({ details }: { details: Record<string, unknown> }) => [
        details.tokens,
        details.keysTo,
      ])
      assert.deepEqual(became, [
        [1, owner.email],
        [1, null],
      ])
    })

    test('tell what they are and where, and nothing of the other projects of their maker', async () => {
      const { slug, owner } = await house().project()
      const { id, token } = await make(owner, slug, ['deploys:write'])
      expect(201, await owner.browser.post('/projects', { slug: `${slug}-other` }))
      const self = expect(200, await as(token)('/token'))
      const { scopes, state, madeBy, project } = self
      assert.deepEqual([self.id, scopes, state], [id, ['deploys:write'], 'active'])
      assert.deepEqual([madeBy.email, project.slug], [owner.email, slug])
      assert.ok(!JSON.stringify(self).includes(token), 'the token itself is not shown again')
      assert.equal(expect(200, await as(token)('/installation')).sandbox, true)
      assert.match(expect(404, await owner.browser.get('/token')).message, /No token has been sent/)
      expect(403, await as(token)('/projects'))
      const reader = await make(owner, slug, ['project:read'])
      const listed = expect(200, await as(reader.token)('/projects'))
      assert.deepEqual(
        listed.map((each: { slug: string }) => each.slug),
        [slug],
      )
    })

    test('a project has at most fifty that work', async () => {
      const { slug, owner } = await house().project()
      const inTurns = Array.from({ length: 5 }, async () => {
        const answers: Answer[] = []
        for (let made = 0; made < 11; made++) {
          answers.push(await owner.browser.post(`/projects/${slug}/tokens`, { name: 'CI', scopes: ['project:read'] }))
        }
        return answers
      })
      const all = (await Promise.all(inTurns)).flat()
      const refused = all.filter(({ status }) => status !== 201)
      assert.equal(refused.length, 5)
      for (const { status, json } of refused) assert.match(`${status} ${json.message}`, /^409 .* has 50 tokens/)
    })

    test('a bad body says what is wrong, and makes nothing', async () => {
      const { slug, owner } = await house().project()
      for (const body of [
        {},
        { name: 'CI', scopes: [] },
        { name: '', scopes: ['deploys:write'] },
        { name: 'CI', scopes: ['members:write'] },
        { name: 'CI', scopes: ['deploys:write'], expiresInDays: 400 },
      ]) {
        assert.match(expect(400, await owner.browser.post(`/projects/${slug}/tokens`, body)).message, /not created/)
      }
      assert.deepEqual(expect(200, await owner.browser.get(`/projects/${slug}/tokens`)), [])
    })
  })
}
