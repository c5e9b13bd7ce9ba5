import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../test/harness/any-character.ts'
import { canonicalHostname } from '../../platform/hostname.ts'
import { domainNameOf, readHostnameInput, refuseReserved } from './hostname-input.ts'

const OWN = ['localhost', 'petstore.example']
const read = (raw: string) => readHostnameInput(raw, OWN)

test('whatever people paste becomes the hostname', () => {
  const pasted = [
    'www.example.com',
    ' www.example.com\n',
    'WWW.Example.COM',
    'www.example.com.',
    'https://www.example.com',
    'http://www.example.com:8080/a/b?c=d#e',
    '//www.example.com/',
    'https:\\\\www.example.com\\x',
    '<https://www.example.com>',
    '"www.example.com"',
    '“www.example.com”,',
    'www.example.com?x=1',
    '\u200bwww.example.com\ufeff',
    'www．example。com',
    'ftp://www.example.com',
    'HTTPS://WWW.EXAMPLE.COM',
  ]
  for (const raw of pasted) {
    const input = read(raw)
    assert.equal(input.ok && input.hostname, 'www.example.com', raw)
  }
})

test('apex and subdomain are told apart by the Public Suffix List', () => {
  const cases = [
    ['example.com', 'example.com', 'apex', '@'],
    ['www.example.com', 'example.com', 'subdomain', 'www'],
    ['a.b.example.co.uk', 'example.co.uk', 'subdomain', 'a.b'],
    ['example.co.uk', 'example.co.uk', 'apex', '@'],
    ['shop.eu.org', 'shop.eu.org', 'apex', '@'],
    ['www.shop.eu.org', 'shop.eu.org', 'subdomain', 'www'],
    ['example.test', 'example.test', 'apex', '@'],
    ['www.example.test', 'example.test', 'subdomain', 'www'],
  ] as const
  for (const [raw, registrable, kind, label] of cases) {
    const input = read(raw)
    assert.deepEqual(input.ok && [input.registrable, input.kind, input.label], [registrable, kind, label], raw)
  }
})

test('a name that became a public suffix after it was added is its own apex, as names below it are but for www', () => {
  const cases = [
    ['github.io', 'github.io', 'apex', '@'],
    ['*.github.io', 'github.io', 'wildcard', '*'],
    ['shop.github.io', 'shop.github.io', 'apex', '@'],
    ['www.github.io', 'github.io', 'subdomain', 'www'],
    ['*.www.github.io', 'github.io', 'wildcard', '*.www'],
    ['www.com', 'www.com', 'apex', '@'],
    ['*.www.example.com', 'example.com', 'wildcard', '*.www'],
  ] as const
  for (const [hostname, registrable, kind, label] of cases) {
    assert.deepEqual(domainNameOf(hostname), { hostname, unicode: hostname, registrable, kind, label })
  }
})

test('Unicode is shown both ways', () => {
  const input = read('https://Bücher.Example/')
  assert.ok(input.ok)
  assert.equal(input.hostname, 'xn--bcher-kva.example')
  assert.equal(input.unicode, 'bücher.example')
  const decomposed = read('bu\u0308cher.example')
  assert.equal(decomposed.ok && decomposed.hostname, 'xn--bcher-kva.example')
})

test('joiners that a script needs are part of the name, and those that came along with a copy are not', () => {
  const needed = {
    'نامه\u200cای.com': 'xn--mgba3gch31f060k.com',
    'https://ශ්\u200dරී.com/': 'xn--10cl1a0b660p.com',
    '\u200dwww\u200c.نامه\u200cای.com\u200d': 'www.xn--mgba3gch31f060k.com',
    '\u200dwww\u200c。نامه\u200cای｡com': 'www.xn--mgba3gch31f060k.com',
    '\u200c“\u200ee\u200dxam\u200cple.com”\u200c': 'example.com',
  }
  for (const [raw, hostname] of Object.entries(needed)) {
    const input = read(raw)
    assert.equal(input.ok && input.hostname, hostname, raw)
    if (input.ok) assert.equal(canonicalHostname(input.unicode), hostname)
  }
})

test('every refusal has its reason and says what to do', () => {
  const refusals: Record<string, string[]> = {
    empty: ['', '  ', 'https://', '/', '""'],
    ip_address: [
      '203.0.113.7',
      'http://127.1/',
      '2130706433',
      '0x7f.0.0.1',
      '１.1.1.1',
      '[::1]',
      'http://[2001:db8::1]:80/',
      '2001:db8::1',
    ],
    userinfo: ['info@example.com', 'https://user:secret@example.com/', 'mailto:info@example.com'],
    wildcard: ['*.example.com', '*', 'www.*.com'],
    underscore: ['my_shop.example.com', '_dmarc.example.com'],
    single_label: ['example', 'https://intranet/'],
    own_name: ['localhost', 'shop.localhost', 'petstore.example', 'a.b.petstore.example', 'LOCALHOST.'],
    public_suffix: ['co.uk', 'github.io', 'eu.org', 'xn--55qx5d.cn'],
    too_long: [`${'a'.repeat(64)}.com`, `${'a.'.repeat(130)}com`, 'x'.repeat(3000), `${'abcdefgh.'.repeat(27)}com`],
    malformed: ['a b.com', 'example..com', '.example.com', '-a.com', 'exa$mple.com', 'a%2eb.com', 'xn--a.com'],
  }
  for (const [reason, inputs] of Object.entries(refusals)) {
    for (const raw of inputs) {
      const input = read(raw)
      assert.equal(input.ok ? `accepted ${input.hostname}` : input.reason, reason, raw)
      assert.ok(!input.ok && input.message.endsWith('.') && input.message.length < 220, raw)
    }
  }
})

test('a * that is refused is answered with an example that is not, and with the true reason', () => {
  for (const wildcards of [true, false]) {
    for (const raw of ['*', '*.*.example.com', 'www.*.com', '*.example.com.']) {
      const input = readHostnameInput(raw, [], { wildcards })
      if (input.ok) continue
      const example = / (?:such as|for example) (\S+)\.$/.exec(input.message)?.[1] ?? ''
      assert.ok(readHostnameInput(example, [], { wildcards }).ok, input.message)
      assert.ok(!wildcards || !input.message.includes('no zone'), input.message)
    }
  }
})

test('no input throws, and what is accepted is canonical, stable and not ours', () => {
  const before = fc.constantFrom('', 'http://', '*.', 'a@', ' ', '“')
  const after = fc.constantFrom('', '.', '/x', ':80', '_', '”')
  const inputs = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.domain(),
    fc.webUrl(),
    fc.ipV6(),
    fc.tuple(before, fc.domain(), after).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(inputs, (raw) => {
      const input = read(raw)
      if (!input.ok) return assert.ok(input.message.length > 0)
      assert.equal(canonicalHostname(input.hostname), input.hostname)
      assert.ok(`_petstore.${input.hostname}`.length <= 253)
      assert.equal(input.label === '@' ? input.registrable : `${input.label}.${input.registrable}`, input.hostname)
      assert.equal(input.kind === 'apex', input.hostname === input.registrable)
      assert.deepEqual(read(input.hostname), input)
      assert.deepEqual(read(input.unicode), input)
      assert.ok(!/(^|\.)(localhost|petstore\.example)$/.test(input.hostname))
    }),
    { numRuns: 1500 },
  )
})

test('names that can never be public are refused with the reason, whatever stands before them', () => {
  const why: Record<string, RegExp> = {
    'printer.local': /local networks/,
    'abcdef.onion': /Tor/,
    'shop.invalid': /must not work/,
    '1.2.0.192.in-addr.arpa': /workings of DNS/,
    '8.b.d.0.1.0.0.2.ip6.arpa': /workings of DNS/,
    'router.home.arpa': /workings of DNS/,
    'www.shop.test': /set aside for tests/,
    'www.shop.example': /set aside for examples/,
    'shop.localhost': /to itself/,
    'name.alt': /other systems/,
    'ci.internal': /private networks/,
  }
  for (const [hostname, reason] of Object.entries(why)) {
    const refusal = refuseReserved(hostname, 'pets.example.org') ?? ''
    assert.match(refusal, reason, hostname)
    assert.match(refusal, /can never be reached from the internet.*Enter a domain/)
  }
  for (const hostname of ['www.example.com', 'local.shop.com', 'test.de', 'constructor.com', 'a.constructor']) {
    assert.equal(refuseReserved(hostname, 'pets.example.org'), undefined, hostname)
  }
})

test('a sandbox is played with below .test, and a platform below such a name is a laboratory of it', () => {
  assert.equal(refuseReserved('www.example.test', 'localhost'), undefined)
  assert.match(refuseReserved('printer.local', 'localhost') ?? '', /local networks/)
  assert.equal(refuseReserved('www.shop.internal', 'pets.internal'), undefined)
  assert.match(refuseReserved('www.shop.internal', 'pets.test') ?? '', /private networks/)
})
