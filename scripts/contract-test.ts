import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentJson } from '../src/platform/http/openapi/json.ts'
import { writePlatformExamples } from '../test/openapi/platform-examples.ts'
import { failuresIn, runSpecmatic } from '../test/openapi/specmatic.ts'
import { openStage, STAGE_KEY } from '../test/openapi/stage.ts'
import { openHouse } from '../test/platform-api/house.ts'

const TIMEOUT_MS = 600_000

/** Lets Specmatic judge a freshly started service by both documents, in one run: it takes seconds to start. */
export async function contractTest() {
  await using house = await openHouse({ environment: { PETSTORE_RATE_LIMIT: 'off' } })
  const { shop } = house
  await using stage = await openStage(shop)
  const directory = mkdtempSync(join(tmpdir(), 'petstore-specmatic-'))
  try {
    const file = join(directory, 'openapi.json')
    writeFileSync(file, withFewerCombinations(await (await shop.call('/openapi.json')).text()))
    const animals = { file, baseUrl: `http://127.0.0.1:${stage.port}/v1`, isGenerative: true }
    const platform = {
      file: await writePlatformExamples(house, directory),
      baseUrl: `http://127.0.0.1:${shop.config.baseUrl.port}/platform/v1`,
      isGenerative: false,
    }
    return await runSpecmatic({ contracts: [animals, platform], key: STAGE_KEY, directory, timeoutMs: TIMEOUT_MS })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const QUERY_OF_LISTS = new Set(['limit', 'status', 'cursor'])

/**
 * Without the filters that we have added to lists: it asks for every combination of parameters, which would be
 * thousands. Our own tests hold those (test/interface/filters.suite.ts).
 */
function withFewerCombinations(text: string): string {
  const document = JSON.parse(text) as { paths: Record<string, { get?: { parameters: Record<string, string>[] } }> }
  for (const { get } of Object.values(document.paths)) {
    if (get) get.parameters = get.parameters.filter((one) => one.in !== 'query' || QUERY_OF_LISTS.has(one.name ?? ''))
  }
  return documentJson(document)
}

if (import.meta.main) {
  const { exitCode, tests, failures, output } = await contractTest()
  if (exitCode === 0 && tests > 0) console.log(`Specmatic: ${tests} generated tests, all passed.`)
  else {
    console.error(failuresIn(output))
    console.error(`Specmatic: ${failures} of ${tests} generated tests failed (exit code ${exitCode}).`)
    process.exitCode = 1
  }
}
