import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipped, tarBytes, zipBytes } from './archive-bytes.ts'
import { Browser } from '../platform-api/browser.ts'
import { expect, PASSWORD, tokenOf } from '../platform-api/house.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { planned, sha256Of } from './deploys.suite.ts'
import { askHttp, askHttp2, askHttps, type Page } from './visitor.ts'

test('owner link, account, project, deploy, site over HTTP and HTTPS, rollback, and a viewer refused', async () => {
  await using shop = await startTestPetstore()
  const owner = new Browser(shop)
  const body = { token: tokenOf(shop.petstore.ownerLink!), email: 'olga@example.com', name: 'Olga', password: PASSWORD }
  expect(201, await owner.post('/sign-up', body))
  const project = expect(201, await owner.post('/projects', { slug: 'kennel' }))
  const host = new URL(project.url).host
  const ca = await shop.petstore.rootPem()

  const starter = await visit(shop, host)
  assert.equal(starter.status, 200, 'a new project is published at once')
  assert.match(starter.text, /API reference/)
  const [first] = expect(200, await owner.get('/projects/kennel/deploys'))
  assert.deepEqual([first.source, first.active, first.createdBy], ['starter', true, 'the service'])

  const one = await upload(shop, owner, 'kennel', zipBytes([{ name: 'index.html', content: '<h1>one</h1>' }]))
  assert.equal(one.status, 201, one.text)
  const { state, deploy: firstDeploy } = JSON.parse(one.text)
  assert.deepEqual([state, firstDeploy.createdBy], ['deployed', 'olga@example.com'])
  assert.equal((await visit(shop, host)).text, '<h1>one</h1>')
  for (const ask of [askHttps, askHttp2]) {
    const secure = await ask(shop.config.httpsPort, ca, { host: `kennel.localhost:${shop.config.httpsPort}` })
    assert.deepEqual([secure.status, secure.text], [200, '<h1>one</h1>'])
  }

  const files = [
    { name: 'site/index.html', content: '<h1>two</h1>' },
    { name: 'site/a.css', content: 'p{}' },
  ]
  const packed = gzipped(tarBytes(files))
  const two = await upload(shop, owner, 'kennel', packed)
  assert.equal(two.status, 201, two.text)
  assert.equal((await visit(shop, host)).text, '<h1>two</h1>')
  assert.equal((await visit(shop, host, '/a.css')).headers['content-type'], 'text/css; charset=utf-8')

  const back = expect(200, await owner.post(`/projects/kennel/deploys/${firstDeploy.id}/activate`))
  assert.equal(back.active, true)
  assert.equal((await visit(shop, host)).text, '<h1>one</h1>')
  assert.equal((await visit(shop, host, '/a.css')).status, 404)

  const viewer = new Browser(shop)
  const invitation = expect(201, await owner.post('/projects/kennel/invitations', { role: 'viewer' }))
  expect(201, await viewer.post('/sign-up', { ...body, token: tokenOf(invitation.link), email: 'vera@example.com' }))
  assert.equal(expect(200, await viewer.get('/projects/kennel/deploys')).length, 3)
  assert.equal((await upload(shop, viewer, 'kennel', packed)).status, 403)
  expect(403, await viewer.post(`/projects/kennel/deploys/${JSON.parse(two.text).deploy.id}/activate`))
  assert.equal((await upload(shop, viewer, 'petstore', packed)).status, 404)
  assert.equal((await visit(shop, host)).text, '<h1>one</h1>')

  const audit = expect(200, await owner.get('/projects/kennel/audit'))
  const deploys = audit.filter(({ verb }: { verb: string }) => verb.startsWith('deploy.'))
  assert.deepEqual(
    deploys.map((entry: { verb: string; actor: { name: string } }) => [entry.verb, entry.actor.name]),
    [
      ['deploy.activate', 'olga@example.com'],
      ['deploy.create', 'olga@example.com'],
      ['deploy.create', 'olga@example.com'],
      ['deploy.create', 'the service'],
    ],
  )

  expect(204, await owner.delete('/projects/kennel', { confirm: 'kennel' }))
  assert.equal((await visit(shop, host)).status, 404)
  assert.match((await visit(shop, host)).text, /Nothing is published here/)
})

test('a directory travels in pieces, and only the changed ones the next time', async () => {
  await using shop = await startTestPetstore()
  const owner = await signUpOwner(shop)
  const files: Record<string, string> = { 'index.html': 'front', 'app.js': 'let a = 1' }
  const deploy = () => owner.post('/projects/petstore/deploys', { files: planned(files) })
  const missing = expect(200, await deploy())
  assert.equal(missing.state, 'incomplete')
  assert.equal(missing.missing.length, 2)
  for (const content of Object.values(files)) assert.equal((await sendBlob(shop, owner, content)).status, 204)
  assert.equal(expect(201, await deploy()).state, 'deployed')
  assert.equal(expect(200, await deploy()).state, 'unchanged')

  files['app.js'] = 'let a = 2'
  const changed = expect(200, await deploy()).missing
  assert.deepEqual(changed, [{ sha256: sha256Of('let a = 2'), bytes: 9 }])
  const wrong = await sendBlob(shop, owner, 'let a = 3', sha256Of('let a = 2'))
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /SHA-256 differs/)
})

test('an upload that is refused half way gets its answer, and nothing changes', async () => {
  await using shop = await startTestPetstore()
  const owner = await signUpOwner(shop)
  const host = `petstore.localhost:${shop.config.baseUrl.port}`
  const before = (await visit(shop, host)).text
  const evil = { name: 'evil', content: '/etc/passwd', unixMode: 0o120777 }
  const link = zipBytes([{ name: 'index.html', content: 'x' }, evil])
  const refused = await upload(shop, owner, 'petstore', link)
  assert.equal(refused.status, 400)
  assert.match(JSON.parse(refused.text).message, /"evil" is a link/)
  const endless = (async function* () {
    for (let sent = 0; sent < 130; sent++) yield new Uint8Array(1_000_000)
  })()
  // A client that does not listen while it sends may find the connection closed.
  for (const archive of [endless, new Uint8Array(101_000_000)]) {
    const tooLarge = await upload(shop, owner, 'petstore', archive).then(
      ({ status }) => status,
      ({ code }) => code,
    )
    assert.ok([413, 'EPIPE', 'ECONNRESET'].includes(tooLarge), String(tooLarge))
  }
  assert.equal((await visit(shop, host)).text, before)
  assert.equal(expect(200, await owner.get('/projects/petstore/deploys')).length, 1)
  const { blobs } = await shop.petstore.storage.read
    .selectFrom('blob_holds')
    .select((eb) => eb.fn.countAll<number>().as('blobs'))
    .where('holder', 'like', 'archive %')
    .executeTakeFirstOrThrow()
  assert.equal(blobs, 0)
})

async function signUpOwner(shop: TestPetstore): Promise<Browser> {
  const owner = new Browser(shop)
  const account = { email: 'olga@example.com', name: 'Olga', password: PASSWORD }
  expect(201, await owner.post('/sign-up', { ...account, token: tokenOf(shop.petstore.ownerLink!) }))
  return owner
}

const visit = (shop: TestPetstore, host: string, path = '/'): Promise<Page> =>
  askHttp(Number(shop.config.baseUrl.port), { host, path })

type Body = Uint8Array | AsyncIterable<Uint8Array>

function upload(shop: TestPetstore, browser: Browser, project: string, archive: Body) {
  return sendTo(shop, browser, `/projects/${project}/deploys/archive`, 'POST', archive)
}

function sendBlob(shop: TestPetstore, browser: Browser, content: string, sha256 = sha256Of(content)) {
  return sendTo(shop, browser, `/projects/petstore/blobs/${sha256}`, 'PUT', Buffer.from(content))
}

function sendTo(shop: TestPetstore, browser: Browser, path: string, method: string, body: Body): Promise<Page> {
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  return askHttp(Number(shop.config.baseUrl.port), {
    host: shop.config.baseUrl.host,
    path: `/platform/v1${path}`,
    method,
    body,
    headers: {
      Cookie: cookie,
      Origin: browser.origin,
      'Content-Type': 'application/octet-stream',
      ...(body instanceof Uint8Array ? { 'Content-Length': String(body.length) } : {}),
    },
  })
}
