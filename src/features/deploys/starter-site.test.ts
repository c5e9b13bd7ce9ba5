import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { COLOUR_RULES, LAY_OUT_ALL, violations } from '../../../test/harness/accessibility.ts'
import { shareBrowser, type SharedBrowser } from '../../../test/harness/browser.ts'
import { planManifest, sha256Hex } from './files/manifest.ts'
import { sampleDocument } from '../../../test/harness/sample-document.ts'
import { HUNG_AFTER_MS } from '../../../test/harness/until.ts'
import { starterSite } from './starter-site.ts'

const SELF = "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self' http:"
const STRICT_POLICY = `default-src 'none'; ${SELF}`
const BIG_PET = '{"id":9007199254740993,"name":"Mia","categoryId":2,"status":"pending"}'
const KEY = 'ps_live_777777777777777777777777777777770uvW7X'

interface Received {
  method: string | undefined
  url: string | undefined
  authorization: string | undefined
  body: string
}

const servers: Server[] = []
const received = { production: [] as Received[], staging: [] as Received[] }
let shared: SharedBrowser
let siteUrl: string
let origins: string[]

before(async () => {
  const production = await listen((request, body) => answerAs(received.production, request, body))
  const staging = await listen((request, body) => answerAs(received.staging, request, body))
  const files = await starterSite(JSON.stringify(sampleDocument(`${production}/v1`, `${staging}/v1`)))
  const byPath = new Map(files.map(({ path, bytes }) => [`/${path}`, bytes]))
  siteUrl = await listen((request) => {
    const path = request.url === '/' ? '/index.html' : request.url!
    const type = TYPES[extname(path)] ?? 'text/plain'
    return {
      status: byPath.has(path) ? 200 : 404,
      headers: { 'Content-Type': type, 'Content-Security-Policy': STRICT_POLICY, 'X-Content-Type-Options': 'nosniff' },
      body: byPath.get(path) ?? '',
    }
  })
  origins = [siteUrl, production, staging]
  shared = await shareBrowser()
})

after(async () => {
  await shared?.[Symbol.asyncDispose]()
  for (const server of servers) server.close()
})

test('the starter site is a deploy like any other, with the document and a page for wrong addresses', async () => {
  const files = await starterSite('{}')
  const planned = await Promise.all(
    files.map(async ({ path, bytes }) => ({ path, bytes: bytes.length, sha256: await sha256Hex(Buffer.from(bytes)) })),
  )
  const paths = new Set((await planManifest(planned, () => 'text/plain')).map(({ path }) => path))
  for (const path of ['index.html', '404.html', 'openapi.json', 'reference.js', 'reference.css']) {
    assert.ok(paths.has(path), path)
  }
  assert.ok(planned.reduce((total, { bytes }) => total + bytes, 0) < 125_000, 'stays small')
})

test('scripts are served without their types, and otherwise as they are', async () => {
  const served = new Map((await starterSite('{}')).map(({ path, bytes }) => [path, bytes.toString()]))
  const badges = await readFile(new URL('../../../reference/badges.js', import.meta.url), 'utf8')
  const withoutTypes = badges.split('\n').filter((line) => !line.startsWith('/** @'))
  assert.equal(served.get('badges.js'), withoutTypes.join('\n'))
  assert.deepEqual(
    [...served.keys()].filter((path) => !/\.(?:css|html|js|json|svg)$/.test(path)),
    [],
  )
})

test('the page shows groups, operations, markers and dates under a strict policy, asking nobody else', async () => {
  const { page, problems, asked } = await open()
  const navigation = await page.locator('#sidebar').innerText()
  for (const text of ['Store', 'Pets', 'animals', 'List animals', 'Add an animal', 'Fetch one animal', 'List orders']) {
    assert.ok(navigation.includes(text), text)
  }
  assert.equal(await page.locator('#listPets .badge').innerText(), 'stable')
  assert.equal(await page.locator('#listOrders .badge').innerText(), 'experimental')
  const notice = await page.locator('#getPet .notice').innerText()
  assert.match(notice, /to be removed on 5 December 2030\s+Use GET \/pets with the status filter/)
  assert.deepEqual(problems, [])
  assert.ok(
    asked.every((url) => url.startsWith(siteUrl)),
    asked.join(' '),
  )
  await page.context().close()
})

test('an operation without a try-out keeps the panel, switched off, and says why', async () => {
  const { page } = await open()
  const panel = page.locator('#listOrders .try-panel')
  assert.match(await panel.innerText(), /Switched off[\s\S]*experimental[\s\S]*Copy the sample/)
  assert.equal(await panel.getByRole('button', { name: 'Send' }).isDisabled(), true)
  for (const id of ['listPets', 'createPet', 'getPet']) {
    assert.equal(await page.locator(`#${id} .try-panel`).getByRole('button', { name: 'Send' }).isDisabled(), false)
  }
  await page.context().close()
})

test('trying out sends the key and the body as typed, and shows the answer to the last digit', async () => {
  const { page, problems } = await open()
  await page.getByRole('button', { name: 'Add an API key' }).click()
  await page.locator('#key-input').fill(KEY)
  await page.keyboard.press('Enter')
  // The key is looked at first, and nobody types behind a dialog.
  await page.locator('#key-input').waitFor({ state: 'hidden' })
  await page.locator('#try-createPet-body').fill(BIG_PET)
  await page.locator('#createPet .try-panel').getByRole('button', { name: 'Send' }).click()
  const answer = page.locator('#createPet .answer')
  await answer.locator('.status').waitFor()
  assert.match(await answer.innerText(), /201[\s\S]*"id": 9007199254740993,/)
  assert.deepEqual(received.production.at(-1), {
    method: 'POST',
    url: '/v1/pets',
    authorization: `Bearer ${KEY}`,
    body: BIG_PET,
  })
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, document.cookie, location.href])')
  assert.ok(!String(kept).includes(KEY), 'the key stays in the tab')
  assert.ok(!(await page.locator('main').innerText()).includes(KEY), 'no sample shows the key')
  assert.deepEqual(problems, [])
  await page.context().close()
})

test('the environment decides where requests and samples go, and each keeps its own key', async () => {
  const { page } = await open()
  await page.getByRole('button', { name: 'Add an API key' }).click()
  await page.locator('#key-input').fill(KEY)
  await page.keyboard.press('Enter')
  await page.locator('#key-input').waitFor({ state: 'hidden' })
  await page.getByText('Staging', { exact: true }).first().click()
  assert.match(await page.locator('#listPets .code').first().innerText(), new RegExp(origins[2]!))
  await page.locator('#listPets .try-panel').getByRole('button', { name: 'Send' }).click()
  await page.locator('#listPets .answer .status').waitFor()
  assert.equal(received.staging.at(-1)?.authorization, undefined)
  await page.context().close()
})

test('search works from the keyboard alone', async () => {
  const { page } = await open()
  await page.keyboard.press('/')
  await page.keyboard.type('fetch')
  await page.keyboard.press('Enter')
  await page.waitForURL(/#getPet$/)
  await page.context().close()
})

test('the page is drawn whatever the browser has stored', async () => {
  const stored = `localStorage['petstore.reference.theme'] = 'sepia'
    sessionStorage['petstore.reference.session'] = 'null'`
  const { page, problems } = await open((opened) => opened.addInitScript(stored))
  await page.getByRole('button', { name: 'Theme: system' }).waitFor()
  assert.equal(await page.getByRole('radio', { name: 'Production' }).isChecked(), true)
  assert.deepEqual(problems, [])
  await page.context().close()
})

test('every theme can be chosen where storage is switched off', async () => {
  const switchedOff = `Storage.prototype.getItem = Storage.prototype.setItem = () => { throw new Error('off') }`
  const { page, problems } = await open((opened) => opened.addInitScript(switchedOff))
  for (const theme of ['system', 'light', 'dark']) await page.getByRole('button', { name: `Theme: ${theme}` }).click()
  await page.getByRole('button', { name: 'Theme: system' }).waitFor()
  assert.deepEqual(problems, [])
  await page.context().close()
})

test('nobody is shut out: no accessibility finding in light, dark and on a phone, and nothing overflows', async () => {
  const { page } = await open()
  const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
  assert.deepEqual([await violations(page, 'in light'), await fits()], [[], true])
  await page.emulateMedia({ colorScheme: 'dark' })
  assert.deepEqual(await violations(page, 'in dark', { rules: COLOUR_RULES }), [])
  await page.setViewportSize({ width: 390, height: 844 })
  // Colours are the same on a phone, and judging them takes most of the time.
  assert.deepEqual([await violations(page, 'on a phone', { without: COLOUR_RULES }), await fits()], [[], true])
  await page.context().close()
})

test('a document that cannot be loaded is said plainly', async () => {
  const { page } = await open(async (opened) => {
    await opened.route('**/openapi.json', (route) => route.fulfill({ status: 503 }))
  })
  assert.match(await page.getByRole('alert').innerText(), /could not be loaded[\s\S]*503/)
  await page.context().close()
})

async function open(prepare: (page: Page) => Promise<unknown> = async () => {}) {
  const context = await shared.browser.newContext({ reducedMotion: 'reduce' })
  context.setDefaultTimeout(HUNG_AFTER_MS)
  const page = await context.newPage()
  const problems: string[] = []
  const asked: string[] = []
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => asked.push(request.url()))
  await prepare(page)
  await page.goto(siteUrl)
  await page.locator('#content:not([aria-busy])').waitFor()
  await page.evaluate(LAY_OUT_ALL)
  return { page, problems, asked }
}

interface Reply {
  status: number
  headers: Record<string, string>
  body: string | Buffer
}

function answerAs(log: Received[], request: IncomingMessage, body: string): Reply {
  const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': 'Authorization, Content-Type' }
  if (request.method === 'OPTIONS') return { status: 204, headers, body: '' }
  log.push({ method: request.method, url: request.url, authorization: request.headers.authorization, body })
  const status = request.method === 'POST' ? 201 : 200
  return { status, headers: { ...headers, 'Content-Type': 'application/json' }, body: BIG_PET }
}

async function listen(reply: (request: IncomingMessage, body: string) => Reply): Promise<string> {
  const server = createServer(async (request, response) => {
    const { status, headers, body } = reply(request, Buffer.concat(await request.toArray()).toString())
    response.writeHead(status, headers).end(body)
  })
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
}
