import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Writes `package-lock.json` from nothing. Beside an existing `node_modules` npm keeps only what is installed: the
 * binaries of other platforms and most hashes get lost.
 */
const root = join(import.meta.dirname, '..')
const empty = mkdtempSync(join(tmpdir(), 'petstore-lock-'))
try {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const folder of ['.', ...workspaces]) {
    mkdirSync(join(empty, folder), { recursive: true })
    copyFileSync(join(root, folder, 'package.json'), join(empty, folder, 'package.json'))
  }
  const options = ['--package-lock-only', '--ignore-scripts', '--omit-lockfile-registry-resolved']
  execFileSync('npm', ['install', ...options], { cwd: empty, stdio: 'inherit', shell: process.platform === 'win32' })
  copyFileSync(join(empty, 'package-lock.json'), join(root, 'package-lock.json'))
} finally {
  rmSync(empty, { recursive: true })
}
