import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const LISTED = join(root, 'test/openapi/tools')
const CACHE = join(root, '.cache/openapi-tools')

/**
 * The directory whose `node_modules` has Spectral, Prism and openapi-typescript, as its lock file names them. They are
 * installed when somebody first asks, beside the project's other caches: everybody's `npm ci` would take half as long
 * again with them. After a change of the list: `npm install --package-lock-only` in test/openapi/tools.
 */
export function openApiTools(): string {
  const lock = join(LISTED, 'package-lock.json')
  const directory = join(CACHE, hash('sha256', readFileSync(lock), 'hex').slice(0, 16))
  if (existsSync(directory)) return directory
  mkdirSync(CACHE, { recursive: true })
  const scratch = mkdtempSync(join(CACHE, 'install-'))
  try {
    for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(LISTED, name), join(scratch, name))
    // They need none of their scripts, one of which would tell its maker who installs it.
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: scratch })
    renameSync(scratch, directory)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(directory)) throw error
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return directory
}
