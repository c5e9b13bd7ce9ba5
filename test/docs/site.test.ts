import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { after, before, test } from 'node:test'
import { ERROR_CODES, ERROR_STATUS } from '../../src/platform/errors.ts'
import { addressOf, PAGES } from '../../src/pages/docs/contents.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'

const ROOT = new URL('../../', import.meta.url)
/** All that a page needs, as it travels. */
const PAGE_BYTES_MAX = 100_000
const INDEX_BYTES_MAX = 100_000

let shop: TestPetstore
let origin: string
before(async () => {
  shop = await startTestPetstore()
  origin = `http://127.0.0.1:${shop.config.baseUrl.port}`
})
after(() => shop?.[Symbol.asyncDispose]())

const asked = new Map<string, Promise<{ status: number; text: string; bytes: number; location: string | null }>>()

/** Each address once; what it takes on the way in the encoding that browsers prefer. */
function get(path: string) {
  const known = asked.get(path)
  if (known) return known
  const answer = (async () => {
    const response = await fetch(origin + path, { headers: { 'Accept-Encoding': 'br' }, redirect: 'manual' })
    const { status, headers } = response
    const text = await response.text()
    return { status, text, bytes: Number(headers.get('content-length')), location: headers.get('location') }
  })()
  asked.set(path, answer)
  return answer
}

const attributesOf = (html: string, name: string) =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    (value as string).replaceAll('&amp;', '&'),
  )

/** What a browser loads for a page by itself: pictures come when somebody opens them. */
async function partsOf(html: string): Promise<Set<string>> {
  const parts = new Set<string>()
  const add = async (path: string) => {
    if (parts.has(path)) return
    parts.add(path)
    const { text } = await get(path)
    const imports = path.endsWith('.js') ? text.matchAll(/^import .* from '([^']+)'/gm) : []
    const fonts = path.endsWith('.css') ? text.matchAll(/url\('([^']+)'\)/g) : []
    for (const [, relative] of [...imports, ...fonts]) await add(posix.join(posix.dirname(path), relative as string))
  }
  const shown = html.replaceAll(/<details class="picture">[^]*?<\/details>/g, '')
  const styles = [...shown.matchAll(/<link rel="(?:icon|stylesheet)"[^>]* href="([^"]+)"/g)].map(([, href]) => href)
  for (const path of [...attributesOf(shown, 'src'), ...styles]) await add(path as string)
  return parts
}

test('every page is there, and under 100 KB with all its parts', async () => {
  let largest = { bytes: 0, path: '' }
  for (const entry of PAGES) {
    const path = addressOf(entry)
    const page = await get(path)
    assert.equal(page.status, 200, path)
    let bytes = page.bytes
    for (const part of await partsOf(page.text)) {
      const { status, bytes: more } = await get(part)
      assert.equal(status, 200, `${part} of ${path}`)
      bytes += more
    }
    assert.ok(page.bytes > 0 && bytes < PAGE_BYTES_MAX, `${path} takes ${bytes} bytes`)
    if (bytes > largest.bytes) largest = { bytes, path }
  }
  assert.ok(largest.bytes > 50_000, `the typeface is not among the parts of ${largest.path}`)
})

test('every link of every page leads to a page, and to a part of it that is there', async () => {
  for (const entry of PAGES) {
    const from = addressOf(entry)
    const { text } = await get(from)
    for (const href of new Set(attributesOf(text, 'href'))) {
      if (/^(?:https?:|mailto:)/.test(href) || href === '/') continue
      const [path = '', fragment] = href.split('#')
      const target = path === '' ? from : path
      const page = await get(target)
      assert.equal(page.status, 200, `${from} leads to ${href}`)
      // The reference draws its parts by script: a test in a browser follows those.
      if (fragment === undefined || target === '/docs/animals/') continue
      assert.ok(attributesOf(page.text, 'id').includes(fragment), `${from} leads to ${href}, which has no such part`)
    }
  }
})

test('every link of the files that pages are made of leads to a file of the checkout', () => {
  for (const { file } of PAGES) {
    const source = readFileSync(new URL(file, ROOT), 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
    for (const [, target = ''] of source.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
      if (/^(?:[a-z]+:|\/docs\/)/.test(target)) continue
      assert.ok(existsSync(new URL(posix.join(posix.dirname(file), target), ROOT)), `${file} leads to ${target}`)
    }
  }
})

test('nothing is loaded from another host, and nothing runs that is not in a file', async () => {
  for (const entry of PAGES) {
    const { text } = await get(addressOf(entry))
    assert.deepEqual(
      attributesOf(text, 'src').filter((source) => !source.startsWith('/docs/')),
      [],
    )
    assert.doesNotMatch(text, /<script>|<style|\sstyle=|\son\w+=/)
  }
  const { headers } = await fetch(`${origin}/docs/`)
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; script-src 'self'; style-src 'self'/)
})

test('no page shows a backtick, except in code', async () => {
  for (const entry of PAGES) {
    const { text } = await get(addressOf(entry))
    const read = text.replaceAll(/<(pre|code)\b[^]*?<\/\1>|<[^>]+>/g, '')
    assert.doesNotMatch(read, /.*`.*/, addressOf(entry))
  }
})

test('each error code has a page with its status, its causes, its cure and an example', async () => {
  for (const code of ERROR_CODES) {
    const source = readFileSync(new URL(`docs/errors/${code}.md`, ROOT), 'utf8')
    assert.ok(source.startsWith(`# \`${code}\`\n\n**${ERROR_STATUS[code]}.** `), code)
    for (const part of ['Why it happens', 'How to mend it', 'Example'])
      assert.match(source, new RegExp(`^## ${part}$`, 'm'))
  }
  const list = readFileSync(new URL('docs/errors/README.md', ROOT), 'utf8')
  const listed = [...list.matchAll(/^\| \[`(\w+)`\]\(\1\.md\) \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ])
  assert.deepEqual(listed, Object.entries(ERROR_STATUS))
})

test('the index of the search is there, and small', async () => {
  const { status, bytes } = await get('/docs/search.json')
  assert.equal(status, 200)
  assert.ok(bytes > 0 && bytes < INDEX_BYTES_MAX, `${bytes} bytes`)
})

test('addresses from before still lead to the right thing', async () => {
  assert.deepEqual([(await get('/docs')).status, (await get('/docs')).location], [308, '/docs/'])
  assert.equal((await get('/docs/openapi.json')).location, '/docs/animals/openapi.json')
  assert.equal((await get('/docs/animals/openapi.json')).status, 200)
  // Sections of the reference, such as /docs/#createPet, move by a script: see test/browser/docs.test.ts.
  assert.match((await get('/docs/')).text, /<script src="\/docs\/assets\/docs\/moved\.js"><\/script>/)
})

test('a slash too many or too few leads to the page', async () => {
  assert.deepEqual([(await get('/docs/ci/')).status, (await get('/docs/ci/')).location], [308, '/docs/ci'])
  assert.deepEqual([(await get('/docs/errors')).status, (await get('/docs/errors')).location], [308, '/docs/errors/'])
})

test('an address without a page says so, and leads back', async () => {
  const { status, text } = await get('/docs/nothing-here')
  assert.equal(status, 404)
  assert.match(text, /There is no page here[^]*href="\/docs\/"/)
})

test('the changelog is dated, the newest day first', () => {
  const days = [...readFileSync(new URL('CHANGELOG.md', ROOT), 'utf8').matchAll(/^## (.*)$/gm)].map(
    ([, day]) => day as string,
  )
  assert.ok(days.length > 0)
  for (const day of days) assert.match(day, /^\d{4}-\d\d-\d\d$/)
  assert.deepEqual(days, days.toSorted().toReversed())
})
