import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runCommand, runJson, temporaryDirectory } from '../commands/command.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { tokenOf } from '../platform-api/house.ts'
import { askHttp } from './visitor.ts'

const PASSWORD = 'correct horse battery'

let service: TestPetstore
let home: ReturnType<typeof temporaryDirectory>
let environment: Record<string, string>
before(async () => {
  service = await startTestPetstore()
  home = temporaryDirectory()
  const { dataDirectory, baseUrl } = service.config
  const { href, origin } = baseUrl
  environment = { HOME: home.path, PETSTORE_DATA: dataDirectory, PETSTORE_BASE_URL: href }
  const token = tokenOf(service.petstore.ownerLink as string)
  const answer = await fetch(`${origin}/platform/v1/sign-up`, {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, email: 'olga@example.com', name: 'Olga', password: PASSWORD }),
  })
  assert.equal(answer.status, 201, await answer.text())
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  home?.[Symbol.dispose]()
})

const port = () => Number(service.config.baseUrl.port)
const visit = async (path: string) => (await askHttp(port(), { host: `petstore.localhost:${port()}`, path })).text

test('deploy asks to sign in first, and login keeps the session where only its user can read it', async () => {
  const stranger = await runCommand(['deploy', '.', '--project', 'petstore'], { environment })
  assert.equal(stranger.code, 1)
  assert.match(stranger.stderr, /Nobody is signed in at http:.*Sign in with: petstore login/)

  const login = ['login', '--email', 'olga@example.com', '--password-stdin']
  const wrong = await runCommand(login, { environment, input: 'wrong\n' })
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /password is not right/)

  const signedIn = await runCommand(login, { environment, input: `${PASSWORD}\n` })
  assert.equal(signedIn.code, 0, signedIn.stderr)
  const kept = join(home.path, '.config', 'petstore', 'sign-ins.json')
  assert.equal(statSync(kept).mode & 0o777, 0o600)
})

test('a directory is published, and the next time only what has changed is sent', async () => {
  using site = temporaryDirectory()
  mkdirSync(join(site.path, 'a'))
  mkdirSync(join(site.path, '.git'))
  writeFileSync(join(site.path, '.git', 'config'), 'secret')
  writeFileSync(join(site.path, 'index.html'), '<h1>front</h1>')
  writeFileSync(join(site.path, 'a', 'app.js'), 'let a = 1')
  writeFileSync(join(site.path, 'a', 'empty.txt'), '')
  writeFileSync(join(site.path, 'a', 'large.bin'), Buffer.alloc(3_000_000, 'large '))

  const deploy = () =>
    runJson<{ state: string; url: string; sent: object; deploy: { files: number } }>(
      ['deploy', site.path, '--project', 'petstore'],
      { environment },
    )
  const first = await deploy()
  assert.deepEqual([first.state, first.deploy.files, first.sent], ['deployed', 4, { files: 4, bytes: 3_000_023 }])
  assert.equal(await visit('/'), '<h1>front</h1>')
  assert.equal((await visit('/.git/config')) === 'secret', false)

  writeFileSync(join(site.path, 'a', 'app.js'), 'let a = 22')
  assert.deepEqual((await deploy()).sent, { files: 1, bytes: 10 })
  assert.equal(await visit('/a/app.js'), 'let a = 22')

  const again = await runCommand(['deploy', site.path, '--project', 'petstore'], { environment })
  assert.match(again.stdout, /^Nothing has changed: petstore shows exactly these 4 files already/)
})

test('without an index.html nothing is published unless that is wanted, and a preview can come first', async () => {
  using site = temporaryDirectory()
  const deploy = ['deploy', site.path, '--project', 'petstore']
  const before = await visit('/')
  writeFileSync(join(site.path, 'home.html'), '<h1>home</h1>')
  const held = await runCommand(deploy, { environment })
  assert.deepEqual([held.code, await visit('/')], [1, before])
  assert.match(held.stdout, /^Kept 1 file for petstore, not published .*: http:\/\/preview-[0-9a-f]{24}\.localhost/)
  assert.match(held.stderr, /no index\.html at the top.*not published.*--without-index/s)

  writeFileSync(join(site.path, 'index.html'), '<h1>next</h1>')
  const preview = [...deploy, '--preview', '--name', 'v2', '--message', 'All new']
  const kept = await runJson<{ state: string; warning: null; deploy: object }>(preview, { environment })
  assert.deepEqual([kept.state, kept.warning, await visit('/')], ['kept', null, before])
  const { name, message, via, hasIndex, active } = kept.deploy as Record<string, unknown>
  const label = { name: 'v2', message: 'All new', via: 'command line', hasIndex: true, active: false }
  assert.deepEqual({ name, message, via, hasIndex, active }, label)

  const published = await runCommand(deploy, { environment })
  assert.deepEqual([published.code, await visit('/')], [0, '<h1>next</h1>'])
})

test('what cannot be published is named, and a project of others is not there', async () => {
  using site = temporaryDirectory()
  const empty = await runCommand(['deploy', site.path, '--project', 'petstore'], { environment })
  assert.deepEqual([empty.code, /holds no files/.test(empty.stderr)], [1, true])
  symlinkSync('/etc/passwd', join(site.path, 'evil'))
  const linked = await runCommand(['deploy', site.path, '--project', 'petstore'], { environment })
  assert.deepEqual([linked.code, /"evil" is a link/.test(linked.stderr)], [1, true])
  const nowhere = await runCommand(['deploy', join(site.path, 'nowhere'), '--project', 'petstore'], { environment })
  assert.deepEqual([nowhere.code, /There is no .*nowhere/.test(nowhere.stderr)], [1, true])
  const others = await runCommand(['deploy', site.path, '--project', 'kennel'], { environment })
  assert.deepEqual([others.code, /You have no project/.test(others.stderr)], [1, true])
})

test('after logout nothing can be deployed', async () => {
  await runJson(['logout'], { environment })
  const refused = await runCommand(['deploy', '.', '--project', 'petstore'], { environment })
  assert.equal(refused.code, 1)
})

test('ca root prints the root that sites are signed with', async () => {
  const { stdout, code } = await runCommand(['ca', 'root'], { environment })
  assert.equal(code, 0)
  assert.match(new X509Certificate(stdout).subject, /Petstore internal CA/)
  assert.equal(stdout, await service.petstore.rootPem())
})

test('ca root makes none where no service has chosen the key that seals it', async () => {
  using nowhere = temporaryDirectory()
  const { stderr, code } = await runCommand(['ca', 'root'], { environment: { PETSTORE_DATA: nowhere.path } })
  assert.equal(code, 1)
  assert.match(stderr, /no root yet: start the service once/)
  assert.equal(existsSync(join(nowhere.path, 'master.key')), false)
})
