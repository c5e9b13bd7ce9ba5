import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** One after the other, each to its end: a promise that is missed does not hide the figures behind it. */
const GENERAL = ['mixed', 'workers', 'fair', 'http', 'start', 'deep-pages', 'memory', 'postgres']
const named = process.argv.slice(2)

const missed = (named.length > 0 ? named : GENERAL).filter((name) => {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  return spawnSync(process.execPath, [file], { stdio: 'inherit' }).status !== 0
})
console.log(missed.length === 0 ? '\nEvery promise was kept.' : `\nNot every promise was kept: ${missed.join(', ')}.`)
process.exitCode = missed.length === 0 ? 0 : 1
