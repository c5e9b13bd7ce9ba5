import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { basename } from 'node:path/posix'

const root = join(import.meta.dirname, '..')
const LISTED = join(root, 'test/openapi/tools')
const CACHE = join(root, '.cache/openapi-tools')

/**
 * The directory whose `node_modules` has Spectral, Prism and openapi-typescript, as its lock file names them. They are
 * installed when somebody first asks, beside the project's other caches: everybody's `npm ci` would take a third
 * longer with them. After a change of the list: `npm install --package-lock-only` in test/openapi/tools.
 */
export function openApiTools(): string {
  const lock = join(LISTED, 'package-lock.json')
  const directory = join(CACHE, hash('sha256', readFileSync(lock), 'hex').slice(0, 16))
  if (existsSync(directory)) return directory
  mkdirSync(CACHE, { recursive: true })
  const scratch = mkdtempSync(join(CACHE, 'install-'))
  try {
    copyFileSync(join(LISTED, 'package.json'), join(scratch, 'package.json'))
    writeFileSync(join(scratch, 'package-lock.json'), withAddresses(readFileSync(lock, 'utf8')))
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

/**
 * The lock file with the address of each package, at the registry that this machine uses. Without one npm reads, for
 * every package, what all its versions are, which is half of the processor's time that an install takes.
 */
function withAddresses(lock: string): string {
  const configured = execFileSync('npm', ['config', 'get', 'registry', '--loglevel=error'], { encoding: 'utf8' })
  const registry = configured.trim().replace(/\/?$/, '/')
  const content = JSON.parse(lock) as {
    packages: Record<string, { name?: string; version: string; resolved?: string }>
  }
  for (const [path, entry] of Object.entries(content.packages)) {
    if (path === '') continue
    const name = entry.name ?? (path.split('node_modules/').at(-1) as string)
    entry.resolved = new URL(`${name}/-/${basename(name)}-${entry.version}.tgz`, registry).href
  }
  return JSON.stringify(content)
}
