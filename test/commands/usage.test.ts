import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { commandHelp } from '../../cli/src/line/help.ts'
import { commands } from '../../src/commands/command-table.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { forEachAtOnce, runCommand, temporaryDirectory } from './command.ts'

test('every command explains itself with its options and an example', async () => {
  const { code, stdout } = await runCommand(['--help'])
  assert.equal(code, 0)
  assert.ok(Object.keys(commands).length > 50)
  for (const [name, [, load]] of Object.entries(commands)) {
    assert.match(stdout, new RegExp(`^  ${name} `, 'm'))
    const help = commandHelp(name, (await load()).command)
    assert.match(help, new RegExp(`^Usage: petstore ${name}`, 'm'))
    assert.match(help, new RegExp(`^Examples:\\n[^]*petstore ${name}`, 'm'))
  }
  for (const asked of [
    ['keys', 'create', '--help'],
    ['help', 'keys', 'create'],
    ['keys', '--help'],
    ['help', 'keys'],
  ]) {
    const help = await runCommand(asked)
    assert.deepEqual({ code: help.code, stderr: help.stderr }, { code: 0, stderr: '' })
    assert.match(help.stdout, /^Usage: petstore keys/m)
  }
  assert.match((await runCommand(['sandbox', 'dns', '--help'])).stdout, /^Usage: petstore sandbox dns COMMAND/)
})

test('the version is the one of package.json', async () => {
  const { code, stdout } = await runCommand(['--version'])
  assert.deepEqual({ code, stdout }, { code: 0, stdout: `${packageJson.version}\n` })
})

const WRONG: [args: string[], says: RegExp][] = [
  [[], /^Usage: petstore COMMAND/],
  [['fly'], /no command "fly"/],
  [['constructor'], /no command "constructor"/],
  [['serv'], /Did you mean: petstore serve/],
  [['keys'], /keys needs one word more/],
  [['keys', 'destroy'], /petstore keys has no command "destroy"/],
  [['pets', 'lst'], /no command "pets lst"\. Did you mean: petstore pets list/],
  [['sandbox', 'dns', 'lst'], /no command "sandbox dns lst"\. Did you mean: petstore sandbox dns list/],
  [['sandbx', 'dns', 'add'], /Did you mean: petstore sandbox dns add/],
  [['pet', 'list'], /Did you mean: petstore pets list/],
  [['pets', 'list', '--limit', 'many', '--key', 'k'], /--limit is "many"/],
  [['--json', 'keys', 'list'], /Put the command first/],
  [['projects', 'list', '--jsn'], /Unknown option '--jsn'.*Did you mean --json/],
  [['projects', 'list', 'surplus'], /"surplus" is one argument too many/],
  [['projects', 'create'], /SLUG is missing/],
  [['projects', 'plan', 'kennel', 'gold'], /PLAN is "gold", but must be free, pro or enterprise/],
  [['projects', 'plan', 'kennel', 'porr'], /Did you mean pro\?/],
  [
    ['projects', 'create', 'kennel', '--plan', 'pro', '--server', 'http://localhost'],
    /--plan is of no use at a server/,
  ],
  [['projects', 'list', '--all'], /--all is of no use on a database/],
  [['keys', 'revoke', 'key_1', '--server', 'http://localhost'], /--project is missing at a server/],
  [['sandbox', 'dns', 'fault', 'example.test', 'servfial'], /Did you mean servfail\?/],
  [['completion', 'bsh'], /Did you mean bash\?/],
  [['completion', 'cmd'], /SHELL is "cmd", but must be bash, zsh or fish/],
  [['whoami', '--server', 'pets'], /--server is "pets", but must be an address/],
  [['listen', '--project', 'a', '--forward', '3000'], /--forward is "3000"/],
  [['pets', 'delete', '1', '--environment', 'staging'], /the key in PETSTORE_KEY is of production\. Leave/],
  [
    ['orders', 'list', '--key', 'ps_test_1', '--environment', 'production'],
    /--environment is production, but the key in --key is of staging/,
  ],
  [['pets', 'add', 'Rex', '--category', '1', '--key', 'ps_live_1', '--project', 'a'], /--key and --project exclude/],
  [['pets', 'update', '1'], /Say what to change: --name, --category or --status/],
  [['pets', 'add', 'Rex'], /--category is missing/],
  [['pets', 'update', 'Rex', '--name', 'Max'], /ID is "Rex", but must be an integer/],
  [['keys', 'create', '--environment', 'staging'], /--project is missing/],
  [['keys', 'create', '--project', 'a', '--environment', 'test'], /must be production or staging/],
  [['keys', 'create', '--project', 'a', '--environment', 'staging', '--expires', 'soon'], /--expires is "soon"/],
  [['keys', 'create', '--project', 'a', '--environment', 'stagng'], /Did you mean staging\?/],
  [['logs', '--project', 'a', '--limit', '0'], /--limit is "0"/],
  [['move'], /TO is missing/],
  [['import', 'animals.txt', '--project', 'a', '--environment', 'staging'], /--format csv or --format ndjson/],
]

test('a call that cannot be meant ends with 2, says so on standard error, and creates nothing', async () => {
  using data = temporaryDirectory()
  const environment = { PETSTORE_DATA: join(data.path, 'never'), PETSTORE_KEY: 'ps_live_1' }
  await forEachAtOnce(WRONG, async ([args, says]) => {
    const { code, stdout, stderr } = await runCommand(args, { environment })
    assert.deepEqual({ args, code, stdout }, { args, code: 2, stdout: '' })
    assert.match(stderr, says)
  })
  assert.throws(() => new DatabaseSync(join(data.path, 'never', 'petstore.sqlite'), { readOnly: true }))
})

test('what cannot be done ends with 1 and one sentence on standard error, never a stack', async () => {
  using data = temporaryDirectory()
  const file = join(data.path, 'file')
  writeFileSync(file, 'no directory')
  const here = { PETSTORE_DATA: join(data.path, 'data') }
  assert.equal((await runCommand(['projects', 'create', 'kennel'], { environment: here })).code, 0)
  const failures: [args: string[], environment: Record<string, string>, says: RegExp][] = [
    [['keys', 'list', '--project', 'nobody', '--json'], here, /^There is no project "nobody"/],
    [['keys', 'revoke', 'key_0000000000000000'], here, /^There is no key "key_0000000000000000"/],
    [['projects', 'create', 'www'], here, /reserved/],
    [['import', 'missing.csv', '--project', 'nobody', '--environment', 'staging'], here, /no project/],
    [['restore', join(data.path, 'missing')], here, /^There is no file/],
    [['projects', 'list'], { PETSTORE_DATA: join(file, 'data') }, /^The data directory .* lies below what is no dir/],
    [['serve'], { ...here, PETSTORE_BASE_URL: 'nonsense' }, /^PETSTORE_BASE_URL is "nonsense"/],
    [['serve'], { ...here, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, /^No PostgreSQL server .* reached/],
  ]
  await forEachAtOnce(failures, async ([args, environment, says]) => {
    const { code, stdout, stderr } = await runCommand(args, { environment })
    assert.deepEqual({ args, code, stdout }, { args, code: 1, stdout: '' })
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /^\s+at /m)
  })
})

test('a database of a newer version is refused with a sentence', async () => {
  using data = temporaryDirectory()
  const environment = { PETSTORE_DATA: data.path }
  assert.equal((await runCommand(['projects', 'create', 'kennel'], { environment })).code, 0)
  {
    using database = new DatabaseSync(join(data.path, 'petstore.sqlite'))
    database.exec("insert into kysely_migration values ('9999_future', '2099-01-01')")
  }
  const { code, stderr } = await runCommand(['serve'], { environment })
  assert.equal(code, 1)
  assert.match(stderr, /^The database was written by a newer version of Petstore \(it has 9999_future\)/)
})

test('output that finds no room ends with a sentence, and not as done', (t) => {
  if (!existsSync('/dev/full')) return t.skip('a disk that is always full is of Linux')
  const full = openSync('/dev/full', 'w')
  const script = fileURLToPath(new URL('../../bin/petstore.js', import.meta.url))
  const stdio = ['ignore', full, 'pipe'] as const
  const { status, stderr } = spawnSync(process.execPath, [script, '--version'], { stdio: [...stdio], encoding: 'utf8' })
  closeSync(full)
  assert.equal(status, 1)
  assert.match(stderr, /^The output could not be written \(ENOSPC\)\. .* look before you run it again\.\n$/)
})
