import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { shareBrowser } from '../../test/harness/browser.ts'
import { installPacked, packClient } from '../../test/harness/packed.ts'
import { runBlocks, writeBlocks } from '../../test/harness/readme-program.ts'
import { type House, openHouse } from '../../test/platform-api/house.ts'

const root = join(import.meta.dirname, '../..')
const COMPRESSED_BYTES_MAX = 6 * 1024

describe('the client as it is published', () => {
  let directory: string
  /** Somebody's project, which has installed it. */
  let project: string
  let built: string
  let house: House

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'petstore-client-'))
    project = join(directory, 'project')
    installPacked(project, [packClient(directory)])
    built = join(project, 'node_modules/petstore-client/dist')
    house = await openHouse()
  })
  after(async () => {
    await house?.[Symbol.asyncDispose]()
    rmSync(directory, { recursive: true, force: true })
  })

  test('is under 6 KB compressed, with nothing to install', () => {
    const scripts = readdirSync(built).filter((name) => name.endsWith('.js'))
    const whole = Buffer.concat(scripts.map((name) => readFileSync(join(built, name))))
    assert.ok(gzipSync(whole).length < COMPRESSED_BYTES_MAX)
    const installed = readdirSync(join(project, 'node_modules'), { recursive: true, encoding: 'utf8' })
    assert.deepEqual(
      installed.filter((path) => path.endsWith('package.json')),
      ['petstore-client/package.json'],
    )
    const described = JSON.parse(readFileSync(join(built, '../package.json'), 'utf8')) as Record<string, unknown>
    for (const field of ['description', 'license', 'repository', 'engines']) assert.ok(described[field], field)
  })

  test('is used by its README as strict TypeScript allows, and its blocks do what they say', async () => {
    const blocks = writeBlocks(project, house)
    assert.equal(blocks.length, 5)
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['block-*.ts'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' })
    assert.equal(status, 0, stdout)
    await runBlocks(process.execPath, project, blocks, house)
  })

  test('works in a browser, from another origin, to the last digit', async () => {
    const { shop } = house
    await using pages = await servePages(built)
    await using shared = await shareBrowser()
    const page = await shared.browser.newPage()
    await page.goto(pages.url)
    const outcome = await page.evaluate(
      async ({ key, baseUrl, moduleUrl }) => {
        const { createPetstore, PetstoreError } = (await import(moduleUrl)) as typeof import('./client.ts')
        const petstore = createPetstore({ key, baseUrl })
        await petstore.pets.create({ name: 'Browser', categoryId: 9007199254740993n })
        const names: string[] = []
        for await (const pet of petstore.pets.list({ limit: 1, q: 'Browser' }))
          names.push(`${pet.name} ${pet.categoryId}`)
        const refused = await petstore.pets.create({ name: '', categoryId: 1 }).catch((error: unknown) => error)
        return { names, code: refused instanceof PetstoreError ? refused.code : 'none' }
      },
      {
        key: shop.keys.production,
        baseUrl: `http://127.0.0.1:${shop.config.baseUrl.port}/v1`,
        moduleUrl: `${pages.url}/client.js`,
      },
    )
    assert.deepEqual(outcome, { names: ['Browser 9007199254740993'], code: 'invalid_request' })
  })
})

/** The built files and an empty page, on an origin of their own. */
async function servePages(directory: string) {
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1)
    if (!/^\w+\.js$/.test(name))
      return response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Page</title>')
    response.setHeader('Content-Type', 'text/javascript').end(readFileSync(join(directory, name)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
