import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isJunk } from '../../../client/src/platform/junk.ts'
import { inMegabytes } from '../line/bytes.ts'
import { CommandError } from '../line/command.ts'

export interface DirectoryFile {
  /** Where it is served. */
  path: string
  /** Where it lies on this computer. */
  file: string
  sha256: string
  bytes: number
}

/** What the server would refuse after everything has been read, which may take long; a test holds them together. */
export const FILES_MAX = 20_000
export const FILE_BYTES_MAX = 25_000_000
export const ALL_BYTES_MAX = 500_000_000

/** Every file of a directory that belongs to its site, with its size and hash. */
export async function readDirectory(
  directory: string,
  onRead: (file: { bytes: number }, files: number) => void,
): Promise<DirectoryFile[]> {
  const found = await listFiles(directory)
  const files: DirectoryFile[] = []
  for (const { path, file } of found) {
    const { sha256, bytes } = await hashFile(file)
    files.push({ path, file, sha256, bytes })
    onRead({ bytes }, found.length)
  }
  return files
}

async function listFiles(directory: string): Promise<{ path: string; file: string }[]> {
  const files: { path: string; file: string }[] = []
  const folders = ['']
  let allBytes = 0
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of await readdir(join(directory, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (isJunk(path)) continue
      if (entry.isDirectory()) {
        folders.push(path)
        continue
      }
      if (!entry.isFile()) {
        throw new CommandError(`"${path}" is a link or a device. Only files can be published: put a copy in its place.`)
      }
      const file = join(directory, path)
      const { size } = await stat(file)
      allBytes += size
      files.push({ path, file })
      refuseTooMuch({ path, files: files.length, bytes: size, allBytes })
    }
  }
  return files
}

/** A folder of dependencies is refused while it is being listed, not after. */
function refuseTooMuch({
  path,
  files,
  bytes,
  allBytes,
}: Record<'files' | 'bytes' | 'allBytes', number> & { path: string }) {
  if (files > FILES_MAX) {
    const advice = 'Leave out what the site does not need, such as source folders and node_modules.'
    throw new CommandError(`The deploy has more than ${FILES_MAX} files and folders. ${advice}`)
  }
  if (bytes > FILE_BYTES_MAX) {
    const advice = 'Make it smaller, or host it elsewhere and link to it.'
    throw new CommandError(`The file "${path}" is larger than ${inMegabytes(FILE_BYTES_MAX)}. ${advice}`)
  }
  if (allBytes > ALL_BYTES_MAX) {
    const reached = `${inMegabytes(ALL_BYTES_MAX)} (reached at "${path}")`
    throw new CommandError(
      `The files of the deploy come to more than ${reached}. Leave out what the site does not need.`,
    )
  }
}

async function hashFile(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { sha256: hash.digest('hex'), bytes }
}
