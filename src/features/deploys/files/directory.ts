import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { invalid } from '../../../platform/errors.ts'
import { isJunk } from '../archive/archive.ts'
import { DEPLOY_LIMITS, DeployMeter } from '../archive/limits.ts'
import { type PlannedFile, planManifest } from './manifest.ts'
import { parseSitePath, quotedPath } from './site-path.ts'

export interface DirectoryFile extends PlannedFile {
  /** Where it lies on this computer. */
  file: string
}

/** Every file of a directory that belongs to its site, with its size and hash. Judged by the server's own rules. */
export async function readDirectory(
  directory: string,
  onRead: (file: { bytes: number }, files: number) => void = () => {},
): Promise<DirectoryFile[]> {
  const found = await listFiles(directory)
  // Refuses what the server would refuse, before anything is read: only names and sizes count here.
  planManifest(
    found.map(({ path, bytes }, index) => ({ path, bytes, sha256: placeholderHash(index) })),
    () => '',
  )
  const files: DirectoryFile[] = []
  for (const { path, file } of found) {
    const { sha256, bytes } = await hashFile(file)
    files.push({ path, file, sha256, bytes })
    onRead({ bytes }, found.length)
  }
  return files
}

async function listFiles(directory: string): Promise<{ path: string; file: string; bytes: number }[]> {
  const files: { path: string; file: string; bytes: number }[] = []
  const folders = ['']
  // A folder of dependencies is refused while it is being listed, not after.
  const meter = new DeployMeter(DEPLOY_LIMITS)
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    for (const entry of await readdir(join(directory, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (isJunk(path)) continue
      if (entry.isDirectory()) {
        folders.push(path)
        continue
      }
      if (!entry.isFile()) {
        throw invalid(
          `${quotedPath(path)} is a link or a device. Only files can be published: put a copy in its place.`,
        )
      }
      meter.checkEntryCount(files.length + 1)
      const file = join(directory, path)
      files.push({ path: parseSitePath(path), file, bytes: (await stat(file)).size })
    }
  }
  return files
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

const placeholderHash = (index: number) => index.toString(16).padStart(64, '0')
