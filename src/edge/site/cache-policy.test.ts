import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cacheControlOf, IMMUTABLE, REVALIDATE } from './cache-policy.ts'

test('a name that carries a hash of its content may be kept for ever', () => {
  const paths = [
    'app.8d3f2a1b.js',
    'static/js/main.8d3f2a1b.chunk.js',
    'assets/index-B9x_Q4kZ.css',
    'my-part-DkX4m2aB.js',
    'assets/index-B9x_Q4kZ.js.map',
    '3f7a9c1e5b2d4f6a8c0e1b3d5f7a9c1e.png',
    'logo-8D3F2A1B.svg',
    '_next/static/chunks/pages/about.js',
    '_app/immutable/entry/start.js',
  ]
  for (const path of paths) assert.equal(cacheControlOf(path), IMMUTABLE, path)
})

test('a name without a certain fingerprint is asked for again every time', () => {
  const paths = [
    'index.html',
    'page.8d3f2a1b.html',
    'app.js',
    'report.20241115.pdf',
    'fonts/Roboto-Regular2.woff2',
    'photo-Image001.jpg',
    'new-iPhone14.png',
    'lib-v1-2-3-4.js',
    'style-whatever.css',
    'some-McDonald.png',
    'jquery-compiled.js',
    'data-deadbeef.json',
    'IMG_20241115.jpg',
    'SUMMER24.png',
    'B9x_Q4kZ',
    '',
  ]
  for (const path of paths) assert.equal(cacheControlOf(path), REVALIDATE, path)
})
