import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { parse as parseYaml } from 'yaml'
import { PAGES } from '../../src/pages/docs/contents.ts'
import { freePorts } from '../harness/free-ports.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { assertDone, readersDirectory, runPage } from './page-shell.ts'
import { isRunnable, snippetsOf } from './snippets.ts'

/** Pages whose blocks have a test of their own, which knows more about them. */
const RUN_BY: Record<string, string> = {
  'docs/quick-start.md': 'test/quick-start.test.ts',
  'docs/tutorials/fleet.md': 'test/docs/fleet.test.ts',
  'client/README.md': 'client/src/published.test.ts',
  'docs/reference/commands.md': 'test/commands/examples.test.ts',
}

/** A block that has a test by the name in front of it, as in test/deploys/ci.test.ts. */
const RUN_ALONE = /<!-- run: \w+ -->\n\n```[^]*?^```$/gm

/** Where a reader's own program listens. */
const [readerPort] = await freePorts(1)

const pages = PAGES.filter(({ file }) => !(file in RUN_BY)).map(({ file }) => ({
  file,
  snippets: snippetsOf(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').replaceAll(RUN_ALONE, '')),
}))

test('every block of every page is run, read, or says why not', () => {
  for (const { file, snippets } of pages) {
    for (const snippet of snippets) {
      const { language, code, marks, notRun } = snippet
      const where = `${file}: ${code.slice(0, 60)}`
      if (notRun !== undefined) assert.ok(notRun.split(' ').length >= 4, `${where} needs a reason that tells something`)
      else if (language === 'json') assert.doesNotThrow(() => JSON.parse(code), where)
      else if (language === 'yaml') assert.doesNotThrow(() => parseYaml(code), where)
      else if (marks.includes('declaration')) assert.equal(file, 'docs/reference/sdk.md', where)
      else
        assert.ok(
          isRunnable(snippet) || language === 'text' || language === 'http',
          `${where} has the language "${language}"`,
        )
    }
  }
})

describe('the commands of each page do what the page says:', () => {
  let shop: TestPetstore
  let directory: string
  before(async () => {
    directory = readersDirectory()
    shop = await startTestPetstore({ environment: { PETSTORE_LISTEN: '127.0.0.1,::1' } })
    const signIn = snippetsOf(SIGN_IN)
    assertDone(await runPage(directory, signIn, environmentOf(shop)), signIn)
  })
  after(async () => {
    await shop?.[Symbol.asyncDispose]()
    rmSync(directory, { recursive: true, force: true })
  })

  for (const { file, snippets } of pages) {
    const runnable = snippets.filter(isRunnable)
    if (runnable.length === 0) continue
    test(file, async () => {
      const here = runnable.map((snippet) => ({
        ...snippet,
        code: asHere(shop, snippet.code),
        printed: snippet.printed?.map((line) => asHere(shop, line)),
      }))
      assertDone(await runPage(directory, here, environmentOf(shop)), here)
    })
  }
})

/** What step 3 of the quick start does. */
const SIGN_IN = `
\`\`\`sh
npx petstore users create you@example.com --project petstore --operator --password-stdin <<< 'correct horse battery'
npx petstore login --email you@example.com --password-stdin <<< 'correct horse battery'
\`\`\`
`

function environmentOf({ config, keys }: TestPetstore): Record<string, string> {
  return {
    PETSTORE_DATA: config.dataDirectory,
    PETSTORE_BASE_URL: config.baseUrl.href,
    PETSTORE_STAGING_URL: config.stagingUrl.href,
    PETSTORE_HTTPS_PORT: String(config.httpsPort),
    PETSTORE_KEY: keys.production,
  }
}

/** The ports and the key of this service instead of those of a reader. */
function asHere({ config, keys }: TestPetstore, guided: string): string {
  return guided
    .replaceAll('localhost:4000', `localhost:${config.baseUrl.port}`)
    .replaceAll('localhost:4001', `localhost:${config.stagingUrl.port}`)
    .replaceAll('localhost:4443', `localhost:${config.httpsPort}`)
    .replaceAll('localhost:3000', `localhost:${readerPort}`)
    .replaceAll('listen(3000)', `listen(${readerPort})`)
    .replaceAll('ps_live_…', keys.production)
}
