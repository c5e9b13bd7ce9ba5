#!/usr/bin/env node
// Plain JavaScript, so that a Node that is too old for the rest can still say so.
import { readFileSync } from 'node:fs'

const { version, engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const oldest = Number(engines.node.match(/\d+/)[0])

if (Number(process.versions.node.split('.', 1)[0]) < oldest) {
  console.error(`petstore needs Node ${oldest} or later, and this is Node ${process.versions.node}.`)
  process.exitCode = 1
} else {
  const { main } = await import('../dist/cli/src/main.js')
  process.exitCode = await main(version, process.argv.slice(2))
}
