import { type ChildProcess, execFileSync, spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { copyInto, imageIgnores, type Instruction, readDockerfile } from './dockerfile.ts'

/**
 * Builds deploy/Dockerfile without a container engine: each stage is a root directory of its own, made by debootstrap,
 * and each step runs in it as the engine would run it. Then it starts what the image starts, as the user that the image
 * names and as process 1, asks a first request and stops it. For Debian as root; takes a few minutes.
 */
const SUITES: Record<string, string> = { 'debian:13-slim': 'trixie' }
const START_MAX_MS = 120_000
const PORT = 4840
const ROOT = join(import.meta.dirname, '..')
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
/** Where npm's registry has a certificate that only this machine knows. */
const EXTRA_CA = process.env.NODE_EXTRA_CA_CERTS
const EXTRA_CA_INSIDE = '/etc/ssl/extra-ca.pem'
const INHERIT = { stdio: 'inherit' } as const
const QUIET: { stdio: StdioOptions } = { stdio: ['ignore', 'ignore', 'inherit'] }
const REQUIRE_CURRENT_DASHBOARD = `
  const { isDashboardCurrent } = await import('/app/src/pages/dashboard-build.ts')
  if (!(await isDashboardCurrent())) throw new Error('The dashboard in the image is not built from what is in it.')
`

/** What the steps of a stage have settled so far. */
interface Stage {
  root: string
  directory: string
  user: string
  environment: Record<string, string>
  command: string[]
}

const folder = mkdtempSync(join(tmpdir(), 'petstore-image-'))
const context = join(folder, 'context')
const stages = new Map<string, Stage>()
let service: ChildProcess | undefined
try {
  if (!existsSync('/usr/sbin/debootstrap')) execFileSync('apt-get', ['install', '-y', '-qq', 'debootstrap'])
  execFileSync('git', ['clone', '-q', ROOT, context])
  const isIgnored = imageIgnores(context)
  for (const path of readdirSync(context, { recursive: true }) as string[]) {
    if (isIgnored(path)) rmSync(join(context, path), { recursive: true, force: true })
  }
  const image = build(readDockerfile(readFileSync(join(context, 'deploy/Dockerfile'), 'utf8')))
  say(`the image has ${execFileSync('du', ['-sh', image.root], { encoding: 'utf8' }).split('\t', 1)[0]}`)
  await tryImage(image)
} finally {
  service?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

function build(steps: readonly Instruction[]): Stage {
  let stage: Stage | undefined
  for (const { word, text } of steps) {
    say(`${word} ${text}`)
    if (word === 'FROM') {
      const [name = '', , alias = String(stages.size)] = text.split(/\s+/)
      stage = { root: newRoot(name), directory: '/', user: 'root', environment: { PATH }, command: [] }
      stages.set(alias, stage)
    } else if (stage === undefined) throw new Error('A Dockerfile begins with FROM.')
    else apply(stage, word, text)
  }
  return stage as Stage
}

function apply(stage: Stage, word: string, text: string): void {
  switch (word) {
    case 'RUN':
      return void execFileSync('unshare', inside(stage, ['/bin/sh', '-c', text], buildEnvironment(stage)), INHERIT)
    case 'COPY':
      return copy(stage, text.split(/\s+/))
    case 'WORKDIR':
      stage.directory = posix.resolve(stage.directory, text)
      return void mkdirSync(join(stage.root, stage.directory), { recursive: true })
    case 'USER':
      return void (stage.user = text)
    case 'ENV':
      return void Object.assign(stage.environment, Object.fromEntries(text.split(/\s+/).map((pair) => pair.split('='))))
    case 'CMD':
      return void (stage.command = JSON.parse(text))
    case 'VOLUME':
    case 'EXPOSE':
      return
    default:
      throw new Error(`This script does not know the step ${word}.`)
  }
}

/** `debian:13-slim` is a minimal Debian without its manual pages, which make no difference here. */
function newRoot(image: string): string {
  const suite = SUITES[image]
  if (suite === undefined) throw new Error(`This script does not know the image ${image}.`)
  const base = join(folder, suite)
  if (!existsSync(base)) execFileSync('debootstrap', ['--variant=minbase', suite, base], QUIET)
  const root = join(folder, `stage-${stages.size}`)
  execFileSync('cp', ['-a', base, root])
  // A container engine brings this file.
  writeFileSync(join(root, 'etc/hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  if (EXTRA_CA !== undefined) cpSync(EXTRA_CA, join(root, EXTRA_CA_INSIDE))
  return root
}

function copy(stage: Stage, words: string[]): void {
  const from = words[0]?.startsWith('--from=')
    ? stages.get((words.shift() as string).slice('--from='.length))
    : undefined
  const target = words.pop() as string
  const into = join(stage.root, posix.resolve(stage.directory, target)) + (target.endsWith('/') ? '/' : '')
  if (from !== undefined)
    return copyInto(
      words.map((path) => join(from.root, path)),
      into,
    )
  copyInto(
    words.map((path) => join(context, path)),
    into,
  )
}

function buildEnvironment({ environment }: Stage): Record<string, string> {
  return EXTRA_CA === undefined ? environment : { ...environment, NODE_EXTRA_CA_CERTS: EXTRA_CA_INSIDE }
}

/** A process in the root directory of the stage, with processes, environment and user of its own. */
function inside(stage: Stage, command: readonly string[], environment: Record<string, string>): string[] {
  const [, , uid = '', gid = '', , home = ''] =
    readFileSync(join(stage.root, 'etc/passwd'), 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .find(([name]) => name === stage.user) ?? []
  if (uid === '') throw new Error(`The image has no user ${stage.user}.`)
  return [
    '--mount',
    '--pid',
    '--kill-child',
    '--mount-proc',
    `--root=${stage.root}`,
    `--wd=${stage.directory}`,
    `--setgid=${gid}`,
    `--setuid=${uid}`,
    '/usr/bin/env',
    '-i',
    ...Object.entries({ HOME: home, ...environment }).map(([name, value]) => `${name}=${value}`),
    ...command,
  ]
}

async function tryImage(image: Stage): Promise<void> {
  say(`starting ${image.command.join(' ')} as ${image.user}`)
  const environment = {
    ...image.environment,
    PETSTORE_BASE_URL: `http://localhost:${PORT}/v1`,
    PETSTORE_STAGING_URL: `http://localhost:${PORT + 1}/v1`,
    PETSTORE_ADMIN_PORT: String(PORT + 2),
    PETSTORE_HTTPS_PORT: String(PORT + 3),
  }
  service = spawn('unshare', inside(image, image.command, environment), { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(service, 'exit')
  const key = await printedKey(service)
  const answer = await fetch(`http://127.0.0.1:${PORT}/v1/pets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: '{"name":"Rex","categoryId":1}',
  })
  const page = await fetch(`http://127.0.0.1:${PORT}/`)
  const isBuilt = (await page.text()).includes('/_app/immutable/')
  const inner = Number(readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8'))
  const owner = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${inner}/status`, 'utf8'))?.[1]
  process.kill(inner, 'SIGTERM')
  const [code] = await ended
  say(`POST: ${answer.status}, dashboard: ${isBuilt}, user: ${owner}, exit code: ${code}`)
  // Else every start would try to build it again, and could not write it.
  execFileSync('unshare', inside(image, ['node', '-e', REQUIRE_CURRENT_DASHBOARD], environment), INHERIT)
  if (answer.status !== 201 || !isBuilt || owner === '0' || code !== 0) process.exitCode = 1
}

async function printedKey(child: ChildProcess): Promise<string> {
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk))
  const deadline = performance.now() + START_MAX_MS
  while (performance.now() < deadline && child.exitCode === null) {
    const key = /ps_live_\w{38}/.exec(printed)?.[0]
    if (key) return key
    await wait(200)
  }
  throw new Error(`The service did not start:\n${printed}`)
}

function say(text: string): void {
  console.log(`\n▶ ${text}`)
}
