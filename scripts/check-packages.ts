import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { installPacked, packCli, packClient } from '../test/harness/packed.ts'
import { runBlocks, writeBlocks } from '../test/harness/readme-program.ts'
import { expect, type House, openHouse } from '../test/platform-api/house.ts'

/** The oldest Node that the packages promise to work with, the one before this, and this. */
const VERSIONS = ['20', '22', process.version]
const CACHE = join(import.meta.dirname, '../.cache/node')

/** The packages as npm would publish them, installed in empty directories and used, with each of these. */
const directory = mkdtempSync(join(tmpdir(), 'petstore-packages-'))
try {
  const archives = [packClient(directory), join(directory, packCli(directory).filename)]
  await using house = await openHouse()
  for (const version of VERSIONS) {
    const node = version === process.version ? process.execPath : nodeOf(version)
    const known = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
    const project = join(directory, `with-${known}`)
    // npm too runs on this Node.
    const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` }
    installPacked(project, archives, env)
    await runBlocks(node, project, writeBlocks(project, house), house)
    await runCommands(node, project, house)
    console.log(`Node ${known}: the SDK does what its README says, and the command line manages a project.`)
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}

/** Adds an animal, publishes a site and reads the log, by a token. */
async function runCommands(node: string, project: string, { shop, operator }: House): Promise<void> {
  const scopes = ['pets:write', 'deploys:write', 'audit:read']
  const answer = await operator.browser.post('/projects/petstore/tokens', { name: 'Commands', scopes })
  const env = {
    ...process.env,
    HOME: project,
    PETSTORE_SERVER: shop.config.baseUrl.origin,
    PETSTORE_TOKEN: expect(201, answer).token,
  }
  const petstore = async (...words: string[]) =>
    (await promisify(execFile)(node, [join(project, 'node_modules/.bin/petstore'), ...words], { env })).stdout
  const site = join(project, 'site')
  mkdirSync(site)
  writeFileSync(join(site, 'index.html'), `<h1>${project}</h1>`)
  const of = ['--project', 'petstore']
  assert.match(await petstore('--version'), /^\d+\.\d+\.\d+\n$/)
  assert.match(await petstore('whoami'), /The token "Commands"/)
  const added = await petstore('pets', 'add', 'Rex', '--category', '9007199254740993', ...of, '--json')
  assert.match(added, /"categoryId": ?9007199254740993/)
  assert.match(await petstore('deploy', site, ...of), /^Deployed 1 file to petstore/)
  assert.match(await petstore('logs', ...of), /deploy\.create/)
}

/** From the npm package with the binary of this platform, fetched once. */
function nodeOf(version: string): string {
  const home = join(CACHE, version)
  const name = `node-${process.platform}-${process.arch}`
  const node = join(home, 'node_modules', name, 'bin/node')
  if (!existsSync(node)) {
    mkdirSync(home, { recursive: true })
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', home, `${name}@${version}`])
  }
  return node
}
