import { invalid, PetstoreError } from '../../../platform/errors.ts'
import type { ArchiveReader } from './reader.ts'
import { DEPLOY_LIMITS, DeployMeter, type DeployLimits } from './limits.ts'
import { parseSitePath, quotedPath, refuseCollisions, sitePathProblem } from '../files/site-path.ts'
import { spoolUpload, type SpooledUpload } from './spool.ts'

export interface ArchiveFile {
  path: string
  bytes: Buffer
}

/**
 * Yields the files of an uploaded zip, tar or tar.gz under their paths in the site. Names, sizes and collisions of the
 * whole archive are judged before the first file; a damaged file can still end the walk later, so whoever stores the
 * files must be able to drop them. Nothing is ever extracted to a path. The first content comes into memory when
 * `whenPlanned`, which is called once everything has arrived, has let it.
 */
export async function* readArchive(
  upload: AsyncIterable<Uint8Array>,
  options: { spoolDirectory: string; limits?: DeployLimits; whenPlanned?: () => Promise<void> },
): AsyncGenerator<ArchiveFile> {
  const limits = options.limits ?? DEPLOY_LIMITS
  const spooled = await spoolUpload(upload, options.spoolDirectory, limits.archiveBytesMax)
  try {
    const reader = await openReader(spooled, limits)
    const paths = await planPaths(reader)
    await options.whenPlanned?.()
    for await (const { index, bytes } of reader.contents((candidate) => paths.has(candidate))) {
      yield { path: paths.get(index)!, bytes }
    }
  } finally {
    await spooled.file.close()
  }
}

async function openReader({ file, bytes: archiveBytes }: SpooledUpload, limits: DeployLimits): Promise<ArchiveReader> {
  const { buffer: head, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
  const startsWith = (...magic: number[]) => magic.every((byte, i) => head[i] === byte)
  const newMeter = () => new DeployMeter(limits, archiveBytes)

  if (startsWith(0x50, 0x4b, 0x03, 0x04)) {
    const { openZip } = await import('./zip.ts')
    return openZip(file, archiveBytes, newMeter)
  }
  const format = startsWith(0x1f, 0x8b) ? 'tar.gz' : head.toString('latin1', 257, 262) === 'ustar' ? 'tar' : undefined
  if (format !== undefined) {
    const { openTar } = await import('./tar.ts')
    return openTar({ file, archiveBytes, format }, newMeter)
  }
  if (bytesRead === 0 || startsWith(0x50, 0x4b, 0x05, 0x06)) throw holdsNoFiles()
  throw new PetstoreError(
    'unsupported_media_type',
    'The upload is no zip, tar or tar.gz archive. Pack the folder of the site with “zip -r site.zip .” or ' +
      '“tar -czf site.tar.gz .” and upload that file.',
  )
}

/** The site path of every entry that is a file of the site, by its place in the archive. */
async function planPaths(reader: ArchiveReader): Promise<Map<number, string>> {
  const files = new Map<number, string>()
  const folders: string[] = []
  let index = -1
  for await (const { name, isDirectory } of reader.entries()) {
    index += 1
    const path = name.replace(/^(?:\.\/+)+/, '').slice(0, isDirectory && name.endsWith('/') ? -1 : undefined)
    if (isDirectory && (path === '' || path === '.')) continue
    if (isJunk(path)) continue
    const problem = sitePathProblem(path)
    if (problem !== undefined) throw invalid(`The entry ${quotedPath(name)} ${problem}`)
    if (isDirectory) folders.push(`${path}/`)
    else files.set(index, path.normalize('NFC'))
  }
  if (files.size === 0) throw holdsNoFiles()
  refuseCollisions([...files.values(), ...folders])

  const wrapper = commonTopFolder(files.values())
  if (wrapper === undefined) return files
  return new Map(Array.from(files, ([place, path]) => [place, parseSitePath(path.slice(wrapper.length + 1))]))
}

/** The folder that holds everything, because people pack the folder of their site rather than what is in it. */
function commonTopFolder(paths: Iterable<string>): string | undefined {
  let common: string | undefined
  for (const path of paths) {
    const end = path.indexOf('/')
    if (end === -1) return undefined
    const top = path.slice(0, end)
    if (common !== undefined && top !== common) return undefined
    common = top
  }
  return common === '.well-known' ? undefined : common
}

/** What operating systems and version control leave in folders; publishing `.git` would publish the whole history. */
export function isJunk(path: string): boolean {
  const segments = path.split('/')
  const name = segments.at(-1)!
  return segments.some((segment) => JUNK_FOLDERS.has(segment)) || JUNK_FILES.has(name) || name.startsWith('._')
}

const JUNK_FOLDERS = new Set(['__MACOSX', '.git', '.hg', '.svn', '.Spotlight-V100', '.Trashes', '.fseventsd'])
const JUNK_FILES = new Set(['.DS_Store', 'Thumbs.db', 'ehthumbs.db', 'desktop.ini', 'Desktop.ini'])

const holdsNoFiles = () =>
  invalid('The archive holds no files. Pack the folder of the site, with its index.html, and upload it again.')
