import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { CommandError } from '../../../cli/src/line/command.ts'

/** An empty file that nobody but its owner ever could open; whoever fills it keeps its rights. */
export function createPrivately(path: string): void {
  try {
    // One that an earlier process of this number left behind may be open to others.
    rmSync(path, { force: true })
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // The folder is at fault, and its name is the one that people know.
    throw Object.assign(error as Error, { path: dirname(path) })
  }
}

/** Gives a finished file its name in one step that survives a power cut. */
export function moveDurably(from: string, to: string): void {
  syncFile(from)
  renameSync(from, to)
  syncDirectory(dirname(to))
}

/** The same, but never in the place of another file. */
export function moveDurablyToNewName(from: string, to: string): void {
  syncFile(from)
  try {
    linkSync(from, to)
    unlinkSync(from)
  } catch (error) {
    // File systems without hard links cannot do it in one step.
    if (existsSync(to) || (error as NodeJS.ErrnoException).code === 'EEXIST') throw alreadyThere(to)
    renameSync(from, to)
  }
  syncDirectory(dirname(to))
}

/** A second name for a file; where the file system has no such thing, a copy. */
export function keepUnder(file: string, name: string): void {
  try {
    linkSync(file, name)
  } catch {
    const partial = `${name}.partial`
    try {
      copyFileSync(file, partial)
      moveDurably(partial, name)
    } finally {
      rmSync(partial, { force: true })
    }
  }
}

export const alreadyThere = (file: string) =>
  new CommandError(`${file} is there already. Choose another name, or move it away.`)

function syncFile(path: string): void {
  const descriptor = openSync(path, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

export function syncDirectory(path: string): void {
  // Windows has no such thing, and needs none.
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
