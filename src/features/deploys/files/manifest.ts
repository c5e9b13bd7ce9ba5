import { createHash } from 'node:crypto'
import { invalid } from '../../../platform/errors.ts'
import { makeWay, PIECE_BYTES } from '../../../platform/thread/make-way.ts'
import { DEPLOY_LIMITS, DeployMeter, type DeployLimits } from '../archive/limits.ts'
import { parseSitePath, quotedPath, refuseCollisions } from './site-path.ts'

/** One file of a deploy: where it is served, and the blob that holds its content. */
interface ManifestEntry {
  path: string
  /** Lower-case hexadecimal. */
  sha256: string
  bytes: number
  contentType: string
}

/** Sorted by path, so that the same files always give the same manifest. */
export type Manifest = readonly ManifestEntry[]

export interface PlannedFile {
  path: string
  sha256: string
  bytes: number
}

export interface BlobAddress {
  sha256: string
  bytes: number
}

/** Judges the files that somebody wants to deploy by the same rules as an archive: tens of thousands, a few a turn. */
export async function planManifest(
  files: Iterable<PlannedFile>,
  contentTypeOf: (path: string) => string,
  limits: DeployLimits = DEPLOY_LIMITS,
): Promise<Manifest> {
  const meter = new DeployMeter(limits)
  const bytesByHash = new Map<string, number>()
  const manifest: ManifestEntry[] = []
  for (const { path: rawPath, sha256, bytes } of files) {
    const path = parseSitePath(rawPath)
    if (!SHA256_HEX.test(sha256)) {
      throw invalid(`The file ${quotedPath(path)} needs a sha256 of 64 lower-case hexadecimal digits. Add its hash.`)
    }
    if (!Number.isSafeInteger(bytes) || bytes < 0) {
      throw invalid(`The file ${quotedPath(path)} has a size that is no number of bytes. Send its size.`)
    }
    if ((bytesByHash.get(sha256) ?? bytes) !== bytes) {
      throw invalid(`The file ${quotedPath(path)} shares its sha256 with a file of another size. Hash both again.`)
    }
    meter.add(path, bytes)
    bytesByHash.set(sha256, bytes)
    manifest.push({ path, sha256, bytes, contentType: contentTypeOf(path) })
    if (manifest.length % FILES_A_TURN === 0) await makeWay(PIECE_BYTES)
  }
  if (manifest.length === 0) throw invalid('The deploy holds no files. Deploy at least an index.html.')
  refuseCollisions(manifest.map(({ path }) => path))
  if (manifest.length > FILES_A_TURN) await makeWay(PIECE_BYTES)
  return manifest.sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** As long as a piece of their contents takes. */
const FILES_A_TURN = 64

/** The content address of a deploy: equal exactly when every path, content and type is equal. */
export function manifestHash(manifest: Manifest): string {
  const hash = createHash('sha256').update('petstore manifest 1\n')
  for (const { path, sha256, bytes, contentType } of manifest) {
    hash.update(`${JSON.stringify([path, sha256, bytes, contentType])}\n`)
  }
  return hash.digest('hex')
}

/** Every blob of a deploy, once, in the order in which the files need them. */
export function manifestBlobs(manifest: Manifest): BlobAddress[] {
  const blobs = new Map(manifest.map(({ sha256, bytes }) => [sha256, { sha256, bytes }]))
  return [...blobs.values()]
}

/** The blobs that still have to travel to a server that holds the given ones. */
export function missingBlobs(manifest: Manifest, heldHashes: ReadonlySet<string>): BlobAddress[] {
  return manifestBlobs(manifest).filter(({ sha256 }) => !heldHashes.has(sha256))
}

/**
 * On this thread, a piece at a time: 0.16 ms each, or a quarter of that where the processor has instructions for it.
 * Another thread would take a copy first, and all of a file at once: where one core is all there is, nobody is served
 * meanwhile.
 */
export async function sha256Hex(content: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    const piece = content.subarray(at, at + PIECE_BYTES)
    hash.update(piece)
    await makeWay(piece.length)
  }
  return hash.digest('hex')
}

const SHA256_HEX = /^[0-9a-f]{64}$/
