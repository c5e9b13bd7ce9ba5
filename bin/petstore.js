#!/usr/bin/env node
// Plain JavaScript, because an older Node may be the one that reads it: it hands over to the pinned one.
import { spawn } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(import.meta.url)
const root = dirname(dirname(script))
const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.node

if (process.versions.node === pinned) {
  nodeModule.enableCompileCache?.(join(root, 'node_modules', '.cache', 'petstore'))
  await import('../src/cli.ts')
} else {
  handOver(findPinnedNode())
}

function findPinnedNode() {
  try {
    const node = dirname(nodeModule.createRequire(import.meta.url).resolve('node/package.json'))
    const path = realpathSync(join(node, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))
    // The installed one is running already and is of another version: it would start itself for ever.
    if (path !== realpathSync(process.execPath)) return path
  } catch {
    // Not installed: said below.
  }
  console.error(`Petstore runs on Node ${pinned}, which is one of its npm dependencies. Install it with: npm ci`)
  process.exit(1)
}

function handOver(node) {
  const child = spawn(node, [...process.execArgv, script, ...process.argv.slice(2)], { stdio: 'inherit' })
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const passOn = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, passOn)
  child.on('error', (error) => {
    console.error(`Node ${pinned} could not be started from ${node} (${error.code}). Install it again with: npm ci`)
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
