import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import * as pages from './pages.ts'

const all = Object.entries(pages).filter((entry): entry is [string, pages.Page] => typeof entry[1] === 'object')

test('every page says what happened, loads nothing, and may run nothing', () => {
  assert.ok(all.length >= 8)
  for (const [name, page] of all) {
    const header = (wanted: string) => page.headers[page.headers.indexOf(wanted) + 1]!
    assert.equal(header('Content-Length'), String(Buffer.byteLength(page.body)), name)
    assert.equal(header('X-Content-Type-Options'), 'nosniff', name)
    assert.match(page.body, /<h1>[A-Z].+<\/h1>/, name)
    assert.doesNotMatch(page.body, /<script|https?:|src=|href=|style="/, name)

    const style = /<style>([\s\S]*)<\/style>/.exec(page.body)![1]!
    const hash = createHash('sha256').update(style).digest('base64')
    assert.ok(header('Content-Security-Policy').includes(`'sha256-${hash}'`), name)
    assert.match(header('Content-Security-Policy'), /^default-src 'none'/, name)
    assert.match(style, /prefers-color-scheme: dark/, name)
  }
})
