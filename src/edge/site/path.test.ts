import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { sitePathOf, urlPathOf } from './path.ts'

test('a request target becomes the path of a file inside the site', () => {
  const expected: Record<string, string | undefined> = {
    '/': '',
    '/?q=1': '',
    '/a/b.html?x=/../y': 'a/b.html',
    '/docs/': 'docs/',
    '//docs//x.css': 'docs/x.css',
    '//evil.example/': 'evil.example/',
    '/a/./b/../c.txt': 'a/c.txt',
    '/a/..': '',
    '/a/b/..': 'a/',
    '/a/b/%2E%2e': 'a/',
    '/../../etc/passwd': 'etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd': 'etc/passwd',
    '/caf%C3%A9.html': 'caf\u00e9.html',
    '/cafe%CC%81.html': 'caf\u00e9.html',
    '/a%20b.txt': 'a b.txt',
    '/100%25.txt': '100%.txt',
    '/.well-known/security.txt': '.well-known/security.txt',
    '/a%2Fb': undefined,
    '/..%2f..%2fetc/passwd': undefined,
    '/..%5cwindows': undefined,
    '/a\\b': undefined,
    '/a%00.html': undefined,
    '/%zz': undefined,
    '/%ff': undefined,
    '/%': undefined,
    '*': undefined,
    '': undefined,
    'http://other.example/x': undefined,
  }
  for (const [target, path] of Object.entries(expected)) assert.equal(sitePathOf(target), path, target)
})

test('no target leads outside the site, and the way back is the same path on the same host', () => {
  const piece = fc.oneof(
    fc.constantFrom('/', '//', '..', '.', '%2e', '%2F', '%5c', '\\', '%00', '%', '?', '#', '@', ':', 'a', '%C3%A9'),
    fc.string({ maxLength: 4 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const path = sitePathOf(`/${pieces.join('')}`)
      if (path === undefined) return
      assert.ok(!path.startsWith('/'), path)
      assert.ok(!path.split('/').some((segment) => segment === '..' || segment === '.'), path)
      assert.ok(!path.includes('//'), path)
      const url = new URL(urlPathOf(path), 'https://site.example')
      assert.equal(url.host, 'site.example')
      assert.equal(sitePathOf(url.pathname), path)
    }),
    { numRuns: 2000 },
  )
})
