import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviseSwitch, type Sides } from './advice.ts'
import { factsOf, type SiteFacts } from './site-facts.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const SITE: SiteFacts = {
  url: 'https://www.example.com/',
  status: 200,
  title: 'Our shop',
  redirects: [],
  hsts: null,
  certificate: null,
  error: null,
}
const SIDES: Sides = {
  there: SITE,
  here: SITE,
  oldTtlSeconds: 300,
  certificateHere: null,
  caaTrouble: null,
  canPrepare: false,
}
const CERTIFICATE = { issuer: 'CN=A', notAfter: '2027-01-01T00:00:00.000Z', distrust: null }
const codes = (change: Partial<Sides>) => adviseSwitch({ ...SIDES, ...change }, NOW).map(({ code }) => code)

test('nothing is advised where nothing would break', () => {
  assert.deepEqual(codes({}), ['nothing'])
  assert.deepEqual(codes({ there: null, oldTtlSeconds: null }), ['nothing'])
})

test('HSTS at the old host means that the certificate comes first, and what breaks comes before what is slow', () => {
  const there = { ...SITE, hsts: 'max-age=31536000; preload', certificate: CERTIFICATE }
  assert.deepEqual(codes({ there, oldTtlSeconds: 3600, caaTrouble: 'CAA forbids it.' }), ['caa', 'hsts', 'ttl'])
  assert.deepEqual(codes({ there: { ...SITE, certificate: CERTIFICATE } }), ['certificate'])
  assert.deepEqual(codes({ there, certificateHere: CERTIFICATE }), ['nothing'])
})

test('a long TTL is lowered now, and the page says from when on that counts everywhere', () => {
  const [ttl] = adviseSwitch({ ...SIDES, oldTtlSeconds: 7200 }, NOW)
  assert.match(ttl!.text, /from 7200 to 300 seconds now\. From .*14:00/)
})

test('another page, an error here, and a redirect to another name are told', () => {
  assert.deepEqual(codes({ here: { ...SITE, title: 'Another shop' } }), ['title'])
  assert.deepEqual(codes({ here: { ...SITE, status: 404 } }), ['status'])
  assert.deepEqual(codes({ there: { ...SITE, error: 'Nothing listens there.' } }), ['unreachable'])
  const redirects = [{ url: 'http://www.example.com/', status: 301 }]
  assert.deepEqual(codes({ there: { ...SITE, redirects, url: 'https://shop.example.com/' } }), ['redirect'])
  assert.deepEqual(codes({ there: { ...SITE, redirects } }), ['nothing'])
})

test('the facts are those of the way’s end, with every stop before it', () => {
  const page = { address: null, certificate: null, error: null, durationMs: 1, body: '' }
  const headers: [string, string][] = [
    ['Strict-Transport-Security', 'max-age=60'],
    ['Location', 'https://www.example.com/'],
  ]
  const { url, title, redirects, hsts } = factsOf([
    { ...page, url: 'https://example.com/', status: 301, headers },
    {
      ...page,
      url: 'https://www.example.com/',
      status: 200,
      headers: [],
      body: '<TITLE lang=en>Cats &amp;\n dogs</title>',
    },
  ])
  assert.deepEqual([url, title, hsts], ['https://www.example.com/', 'Cats & dogs', 'max-age=60'])
  assert.deepEqual(redirects, [{ url: 'https://example.com/', status: 301 }])
})
