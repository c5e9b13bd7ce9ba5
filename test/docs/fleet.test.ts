import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePorts } from '../harness/free-ports.ts'
import { startTestPetstore } from '../harness/petstore.ts'
import { openPostgres } from '../harness/postgres.ts'
import { assertDone, readersDirectory, runPage } from './page-shell.ts'
import { isRunnable, snippetsOf } from './snippets.ts'

const PAGE = readFileSync(new URL('../../docs/tutorials/fleet.md', import.meta.url), 'utf8')

test('the tutorial of the fleet moves to PostgreSQL, and loses nothing with one of two instances', async () => {
  await using postgres = await openPostgres()
  const directory = readersDirectory()
  const dataDirectory = join(directory, 'data')
  const shop = await startTestPetstore({ dataDirectory })
  await shop[Symbol.asyncDispose]()
  const ports = new Map<string, number>()
  const guided = ['4000', '4001', '4002', '4443', '4100', '4101', '4102', '4143']
  for (const [at, port] of (await freePorts(guided.length)).entries()) ports.set(guided[at] as string, port)
  const here = (text: string) =>
    text
      .replaceAll(/\b4\d{3}\b/g, (port) => String(ports.get(port) ?? port))
      .replaceAll('ps_live_…', shop.keys.production)
  const url = await postgres.createDatabase()
  const snippets = snippetsOf(PAGE)
    .filter(isRunnable)
    .map((snippet) => ({ ...snippet, code: here(snippet.code).replace(/postgres:\/\/\S+/, url) }))
  assert.ok(snippets.length >= 6, 'the steps of the tutorial were not found')
  try {
    const outcome = await runPage(directory, snippets, {
      PETSTORE_DATA: dataDirectory,
      PETSTORE_BASE_URL: here('http://localhost:4000/v1'),
      PETSTORE_STAGING_URL: here('http://localhost:4001/v1'),
      PETSTORE_ADMIN_PORT: here('4002'),
      PETSTORE_HTTPS_PORT: here('4443'),
      PETSTORE_LISTEN: '127.0.0.1,::1',
      PETSTORE_SANDBOX: 'off',
    })
    assertDone(outcome, snippets)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
