#!/usr/bin/env node
// Plain JavaScript, because an older Node may be the one that reads it: it hands over to the pinned one.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const require = createRequire(import.meta.url)
const pinned = require('../package.json').dependencies.node

if (process.versions.node === pinned) {
  const { enableCompileCache } = await import('node:module')
  enableCompileCache?.(join(root, 'node_modules', '.cache', 'petstore'))
  await import('../src/cli.ts')
} else {
  const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(node)) {
    console.error(`Petstore runs on Node ${pinned}, which is one of its npm dependencies. Install it with: npm ci`)
    process.exit(1)
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code ?? 1)))
}
