import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { launchBrowser } from '../../test/harness/browser.ts'
import { startTestPetstore } from '../../test/harness/petstore.ts'

const root = join(import.meta.dirname, '../..')
const COMPRESSED_BYTES_MAX = 6 * 1024

describe('the client as it is published', () => {
  let built: string

  before(() => {
    built = mkdtempSync(join(tmpdir(), 'petstore-client-'))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [tsc, '-p', join(root, 'client/tsconfig.build.json'), '--outDir', built])
  })
  after(() => rmSync(built, { recursive: true, force: true }))

  test('is under 6 KB compressed, with nothing to install', () => {
    const scripts = readdirSync(built).filter((name) => name.endsWith('.js'))
    const whole = Buffer.concat(scripts.map((name) => readFileSync(join(built, name))))
    assert.ok(gzipSync(whole).length < COMPRESSED_BYTES_MAX)
    const { dependencies } = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8')) as {
      dependencies?: object
    }
    assert.equal(dependencies, undefined)
  })

  test('is used by its README as strict TypeScript allows', () => {
    const readme = readFileSync(join(root, 'client/README.md'), 'utf8')
    const samples = [...readme.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code as string)
    assert.ok(samples.length >= 4)
    const directory = join(built, 'readme')
    mkdirSync(directory)
    for (const [index, code] of samples.entries()) writeFileSync(join(directory, `sample-${index}.ts`), code)
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
      paths: {
        '@petstore/client': [join(built, 'client.d.ts')],
        '@petstore/client/platform': [join(built, 'platform/platform.d.ts')],
        '@petstore/client/webhooks': [join(built, 'webhooks/webhooks.d.ts')],
      },
    }
    writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', directory], { encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  })

  test('works in a browser, from another origin, to the last digit', async () => {
    await using shop = await startTestPetstore()
    await using pages = await servePages(built)
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(pages.url)
      const outcome = await page.evaluate(
        async ({ key, baseUrl, moduleUrl }) => {
          const { createPetstore, PetstoreError } = (await import(moduleUrl)) as typeof import('./client.ts')
          const petstore = createPetstore({ key, baseUrl })
          await petstore.pets.create({ name: 'Browser', categoryId: 9007199254740993n })
          const names: string[] = []
          for await (const pet of petstore.pets.list({ limit: 1 })) names.push(`${pet.name} ${pet.categoryId}`)
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
    } finally {
      await browser.close()
    }
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
