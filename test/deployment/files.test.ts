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
const HTTPS_ADDRESSES = {
  PETSTORE_PLATFORM_HOST: 'pets.example',
  PETSTORE_BASE_URL: 'https://api.pets.example/v1',
  PETSTORE_STAGING_URL: 'https://staging.pets.example/v1',
}
const read = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8')

test('the systemd unit is valid, restarts what fails for as long as it takes, and runs as an ordinary user', (t) => {
  if (process.platform !== 'linux') return t.skip('systemd is of Linux')
  const unit = read('systemd/petstore.service')
  assert.match(unit, /^User=petstore$/m)
  assert.match(unit, /^Restart=on-failure$/m)
  assert.match(unit, /^\[Unit\]\n[^[]*^StartLimitIntervalSec=0$/m)
  using folder = temporaryDirectory()
  const path = join(folder.path, 'petstore.service')
  // The checkout stands elsewhere here.
  writeFileSync(path, unit.replaceAll('/opt/petstore', ROOT))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
})

test('compose takes its file, and starts again what has ended', () => {
  const { services } = parse(read('compose.yaml')) as { services: Record<string, { restart?: string }> }
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
  const kinds = { Deployment: 'kubernetes-types/apps/v1', Service: 'kubernetes-types/core/v1' }
  const objects = parseAllDocuments(read('kubernetes/petstore.yaml')).map((document) => document.toJS())
  assert.deepEqual(objects.map(({ kind }) => kind).toSorted(), ['Deployment', 'Service', 'Service'])
  const pod = objects.find(({ kind }) => kind === 'Deployment').spec.template.spec
  assert.equal(pod.securityContext.runAsNonRoot, true)
  assert.equal(pod.containers[0].securityContext.allowPrivilegeEscalation, false)

  // Where the settings let it answer is where the services lead, DNS for UDP and TCP.
  const [container] = pod.containers
  const settings = Object.fromEntries(container.env.map(({ name, value }: Record<string, string>) => [name, value]))
  const { dnsZone, httpPort, httpsPort } = readConfig({ ...settings, ...HTTPS_ADDRESSES })
  const led = (service: string) => {
    const { spec } = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === service)
    return (spec.ports as Record<string, unknown>[]).map(({ port, protocol, targetPort }) => {
      const target = container.ports.find(({ name }: { name: string }) => name === targetPort)
      return [port, protocol, target.protocol, target.containerPort]
    })
  }
  assert.deepEqual(led('petstore'), [
    [443, undefined, undefined, httpsPort],
    [80, undefined, undefined, httpPort],
  ])
  assert.deepEqual(dnsZone?.listen, [{ address: '0.0.0.0', port: 5353 }])
  assert.deepEqual(led('petstore-dns'), [
    [53, 'UDP', 'UDP', 5353],
    [53, 'TCP', 'TCP', 5353],
  ])

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
