import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux has a file system there that is nothing but memory. */
const MEMORY = '/dev/shm'
/** A run had 242 MB there at its fullest. */
const ROOM_BYTES = 1024 ** 3
const PREFIX = 'petstore-run-'

/**
 * Where the databases and other files of a run go, until it ends. In memory nobody waits for a disk, and a fifth of the
 * run was that: the tests of durability kill processes, whose files are the kernel's then, wherever they are.
 */
export function makeRunDirectory(): { path: string; isMemory: boolean } & Disposable {
  const isMemory = isGood(MEMORY)
  const parent = isMemory ? MEMORY : tmpdir()
  if (isMemory) removeLeftovers()
  const path = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
  // PostgreSQL runs as somebody else.
  chmodSync(path, 0o755)
  return { path, isMemory, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** Containers often have 64 MB there, or run no programs from it. */
function isGood(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize >= ROOM_BYTES && runsPrograms(directory)
  } catch {
    return false
  }
}

function runsPrograms(directory: string): boolean {
  const trial = mkdtempSync(join(directory, PREFIX))
  try {
    const program = join(trial, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    return spawnSync(program).status === 0
  } finally {
    rmSync(trial, { recursive: true })
  }
}

/** Of runs that were killed: in memory nothing else takes them away. Those of somebody else are theirs. */
function removeLeftovers(): void {
  const leftover = new RegExp(`^${PREFIX}(\\d+)-`)
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(leftover.exec(name)?.[1])
    const path = join(MEMORY, name)
    if (pid && !isRunning(pid) && statSync(path).uid === process.getuid?.()) rmSync(path, { recursive: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
