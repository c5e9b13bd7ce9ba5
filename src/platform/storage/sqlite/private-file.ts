import { closeSync, lchownSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** An empty file that nobody but the owner of its folder can open; one that is there stays as it is. */
export function ensurePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    throw error
  }
  giveToOwnerOf(dirname(path), path)
}

/** The service runs as the owner of its data, and could not use what a command of root has left there. */
export function giveToOwnerOf(directory: string, file: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(directory)
  // Not what a link leads to, which that owner could have put in the file's place meanwhile.
  lchownSync(file, uid, gid)
}
