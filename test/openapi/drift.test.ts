import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { COMMANDS_FILE, commandsPage } from '../../scripts/command-reference.ts'
import { PLATFORM_OPENAPI_FILE, publishedPlatformDocument } from '../../scripts/openapi-platform.ts'
import { OPENAPI_FILE, publishedDocument } from '../../scripts/openapi.ts'
import { SDK_FILE, sdkPage } from '../../scripts/sdk-reference.ts'
import { PAGES } from '../../src/pages/docs/contents.ts'

test('openapi.json is what the code says', () => {
  assert.equal(readFileSync(OPENAPI_FILE, 'utf8'), publishedDocument(), 'write it anew with: npm run openapi')
})

test('openapi.platform.json is what the routes and the types of the client say', () => {
  const written = readFileSync(PLATFORM_OPENAPI_FILE, 'utf8')
  assert.ok(written === publishedPlatformDocument(), 'write it anew with: npm run openapi')
})

test('the page of the commands is what the commands say', async () => {
  assert.equal(readFileSync(COMMANDS_FILE, 'utf8'), await commandsPage(), 'write it anew with: npm run docs:commands')
})

test('the page of the SDK is what the client declares', () => {
  assert.equal(readFileSync(SDK_FILE, 'utf8'), sdkPage(), 'write it anew with: npm run docs:sdk')
})

test('every page of the documentation is written, each error code included', () => {
  for (const { file } of PAGES) assert.ok(existsSync(new URL(`../../${file}`, import.meta.url)), `${file} is missing`)
})
