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
    'style_8d3f2a1b.css',
    'vendor-8d3f2a1b5c7e9f00.js',
    '8d3f2a1b5c7e9f00.js',
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
    'cafe2024.pdf',
    'feed2024.xml',
    'decade80.css',
    '8d3f2a1b.js',
    'logo-cafe2024.png',
    'menu-20241115a.pdf',
    'log-20241115b2.txt',
    'talk-face2face.mp4',
    'logo-YouTube2.png',
    'icon-GitHub10.svg',
    'new-iPadPro3.png',
    'new-iPadMini.png',
    'photo-MyBigDog.jpg',
    'photo-Top10Car.jpg',
    'plan-Day1Week.pdf',
    'report-2024Q4v2.pdf',
    'film-s1e2p3v4.mp4',
    'B9x_Q4kZ',
    '',
  ]
  for (const path of paths) assert.equal(cacheControlOf(path), REVALIDATE, path)
})
