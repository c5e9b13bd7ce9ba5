import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import packageJson from '../../package.json' with { type: 'json' }
import { readConfig } from '../../src/config.ts'
import { copyInto, imageIgnores, readDockerfile } from '../../scripts/dockerfile.ts'
import { temporaryDirectory } from '../commands/command.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8')
/** Five seconds for who still comes, thirty for requests in flight (`edge/http-server.ts`), some to close the rest. */
const STOP_MAX_S = 40

test('the systemd unit is valid, restarts what fails for as long as it takes, and runs as an ordinary user', (t) => {
  if (process.platform !== 'linux') return t.skip('systemd is of Linux')
  const unit = read('systemd/petstore.service')
  assert.match(unit, /^User=petstore$/m)
  assert.match(unit, /^Restart=on-failure$/m)
  assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) >= STOP_MAX_S)
  assert.match(unit, /^\[Unit\]\n[^[]*^StartLimitIntervalSec=0$/m)
  using folder = temporaryDirectory()
  const path = join(folder.path, 'petstore.service')
  // The checkout stands elsewhere here.
  writeFileSync(path, unit.replaceAll('/opt/petstore', ROOT))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
})

interface ComposeService {
  restart?: string
  environment?: Record<string, string>
  ports?: string[]
  stop_grace_period?: string
  deploy?: { replicas: number }
}

test('compose takes its file, and starts again what has ended', () => {
  const { services } = parse(read('compose.yaml')) as { services: Record<string, ComposeService> }
  const { ports = [], stop_grace_period, deploy, environment = {} } = services.petstore as ComposeService
  assert.ok(Number.parseInt(stop_grace_period ?? '') >= STOP_MAX_S)
  // Each instance has a port of the machine for either listener, for a balancer in front of them.
  const https = { PETSTORE_BASE_URL: 'https://a.example/v1', PETSTORE_STAGING_URL: 'https://b.example/v1' }
  const { httpPort, httpsPort } = readConfig({ ...https, PETSTORE_HTTP_PORT: environment.PETSTORE_HTTP_PORT })
  const published = ports.map((text) => /^(\d+)-(\d+):(\d+)$/.exec(text)?.slice(1).map(Number) ?? [])
  assert.deepEqual(
    published.map(([, , target]) => target),
    [httpPort, httpsPort],
  )
  for (const [first = 0, last = 0] of published) assert.equal(last - first + 1, deploy?.replicas)
  for (const [name, service] of Object.entries(services)) assert.equal(service.restart, 'unless-stopped', name)
  const settings = [...read('compose.yaml').matchAll(/^ +(PETSTORE_\w+):/gm)].map(([, name = '']) => name)
  const documented = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')
  assert.deepEqual(
    settings.filter((name) => !documented.includes(name.replace('_FALLBACK', ''))),
    [],
    'settings that nobody knows',
  )
  // What is left out is an empty text there, and no setting.
  const empty = Object.fromEntries(settings.filter((name) => /ACME|DNS/.test(name)).map((name) => [name, '']))
  const { acme, acmeFallback, dnsZone } = readConfig({ ...empty, PETSTORE_PLATFORM_HOST: 'pets.example' })
  assert.deepEqual([acme, acmeFallback, dnsZone], [undefined, undefined, undefined])
  const wanted = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => [name, 'x'])
  execFileSync('docker-compose', ['-f', join(ROOT, 'deploy/compose.yaml'), 'config', '--quiet'], {
    env: { PATH: process.env.PATH, ...Object.fromEntries(wanted) },
  })
})

test('the Kubernetes objects have the fields that Kubernetes knows, and no root', () => {
  const kinds = {
    Deployment: 'kubernetes-types/apps/v1',
    PodDisruptionBudget: 'kubernetes-types/policy/v1',
    Service: 'kubernetes-types/core/v1',
  }
  const objects = kubernetesObjects()
  assert.deepEqual(objects.map(({ kind }) => kind).toSorted(), [...Object.keys(kinds), 'Service'])
  const pod = objects.find(({ kind }) => kind === 'Deployment').spec.template.spec
  assert.equal(pod.securityContext.runAsNonRoot, true)
  assert.equal(pod.containers[0].securityContext.allowPrivilegeEscalation, false)

  // Excess and wrong fields are type errors of an object literal. Inside the checkout, so that the types are found.
  const folder = join(ROOT, 'node_modules/.cache', `kubernetes-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  try {
    const lines = Object.entries(kinds).map(([kind, module]) => `import type { ${kind} } from '${module}'`)
    for (const [at, object] of objects.entries())
      lines.push(`export const object${at}: ${object.kind} = ${JSON.stringify(object)}`)
    writeFileSync(join(folder, 'objects.ts'), lines.join('\n'))
    const compiler = join(ROOT, 'node_modules/.bin/tsc')
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
      '--skipLibCheck',
      'objects.ts',
    ]
    const { status, stdout } = spawnSync(compiler, options, { cwd: folder, encoding: 'utf8' })
    assert.equal(status, 0, stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the services of Kubernetes lead to the ports that the settings open, which an ordinary user may', () => {
  const { container, config, services } = kubernetes()
  const led = services.flatMap(({ spec }) =>
    spec.ports.map(({ port, protocol = 'TCP', targetPort }: Record<string, unknown>) => {
      const target = container.ports.find(({ name }: { name: string }) => name === targetPort)
      assert.equal(target.protocol ?? 'TCP', protocol)
      return [port, protocol, target.containerPort]
    }),
  )
  const [dns] = config.dnsZone?.listen ?? []
  assert.deepEqual(led, [
    [443, 'TCP', config.httpsPort],
    [80, 'TCP', config.httpPort],
    [53, 'UDP', dns?.port],
    [53, 'TCP', dns?.port],
  ])
  for (const [, , port] of led) assert.ok(Number(port) >= 1024, String(port))
})

test('a pod of Kubernetes has all settings, time to start, to answer probes and to stop', () => {
  const { pod, container, config } = kubernetes()
  const secret = (key: string) => ({ name: key, valueFrom: { secretKeyRef: { name: 'petstore', key } } })
  const given = container.env.filter(({ valueFrom }: { valueFrom?: object }) => valueFrom)
  assert.deepEqual(given, [secret('DATABASE_URL'), secret('PETSTORE_MASTER_KEY')])
  assert.equal(config.baseUrl.protocol + config.stagingUrl.protocol, 'https:https:')
  assert.equal(pod.enableServiceLinks, false)
  for (const kind of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
    const { exec, timeoutSeconds } = container[kind]
    assert.ok(exec.command.at(-1).includes(`http://127.0.0.1:${config.adminPort}/`), kind)
    assert.ok(timeoutSeconds >= 5, kind)
  }
  const { command } = container.lifecycle.preStop.exec
  assert.equal(command[0], 'sleep')
  assert.ok(pod.terminationGracePeriodSeconds >= STOP_MAX_S + Number(command[1]))
})

test('the image runs as an ordinary user, and npm ci finds in it what it needs', () => {
  const steps = readDockerfile(read('Dockerfile'))
  const last = (word: string) => steps.findLast((step) => step.word === word)?.text as string
  assert.match(last('USER'), /^(?!root$)[a-z]+$/)
  const [, script = ''] = JSON.parse(last('CMD')) as string[]
  assert.equal(imageIgnores(ROOT)(script.replace('/app/', '')), false)

  // The whole of it takes minutes: npm run test:image.
  using folder = temporaryDirectory()
  const install = steps.findIndex(({ text }) => text === 'npm ci')
  for (const { word, text } of steps.slice(0, install)) {
    if (word !== 'COPY') continue
    const paths = text.split(' ')
    const target = join(folder.path, paths.pop() as string)
    copyInto(
      paths.map((path) => join(ROOT, path)),
      target.endsWith('/') ? target : `${target}/`,
    )
  }
  for (const workspace of packageJson.workspaces) {
    assert.ok(existsSync(join(folder.path, workspace, 'package.json')), workspace)
  }
  // What npm ci runs at its end.
  const scripts = packageJson.scripts.prepare.split(' && ').map((command) => command.replace('node ', ''))
  rmSync(join(folder.path, 'client/dist'), { recursive: true, force: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'))
  for (const script of scripts) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd: folder.path, encoding: 'utf8' })
    assert.equal(status, 0, script + stdout + stderr)
  }
  assert.ok(existsSync(join(folder.path, 'client/dist/client.js')))
})

const kubernetesObjects = () => parseAllDocuments(read('kubernetes/petstore.yaml')).map((document) => document.toJS())

/** The pod, with the settings that it runs by, and who leads to it. */
function kubernetes() {
  const objects = kubernetesObjects()
  const pod = objects.find(({ kind }) => kind === 'Deployment').spec.template.spec
  const [container] = pod.containers
  const settings = container.env.map(({ name, value }: Record<string, string>) => [name, value])
  const services = objects.filter(({ kind }) => kind === 'Service')
  return { pod, container, services, config: readConfig(Object.fromEntries(settings)) }
}
