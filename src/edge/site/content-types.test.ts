import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentTypeOf, UNKNOWN } from './content-types.ts'

test('the type follows from the name alone, text with its charset', () => {
  const expected = {
    'index.html': 'text/html; charset=utf-8',
    'a/b/STYLE.CSS': 'text/css; charset=utf-8',
    'app.mjs': 'text/javascript; charset=utf-8',
    'data.json': 'application/json',
    'site.webmanifest': 'application/manifest+json',
    'logo.svg': 'image/svg+xml; charset=utf-8',
    'font.woff2': 'font/woff2',
    'app.js.map': 'application/json',
    'module.wasm': 'application/wasm',
    '.well-known/apple-app-site-association': 'application/json',
    '.well-known/security.txt': 'text/plain; charset=utf-8',
  }
  for (const [path, type] of Object.entries(expected)) assert.equal(contentTypeOf(path), type, path)
})

test('an unknown name is bytes, never something a browser would run', () => {
  for (const path of ['program', 'x.exe', 'x.php', 'x.', '.hidden', 'x.constructor', 'x.__proto__', 'html', '']) {
    assert.equal(contentTypeOf(path), UNKNOWN, path)
  }
})
