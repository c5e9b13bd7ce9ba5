import { contentTypeOf } from '../src/edge/site/content-types.ts'
import { deployDirectory, directoryHolder } from '../src/features/deploys/deploys.ts'
import { storeBlob } from '../src/features/deploys/files/blobs.ts'
import { sha256Hex } from '../src/features/deploys/files/manifest.ts'
import { createProject } from '../src/features/projects/projects.ts'
import { systemClock as clock } from '../src/platform/clock.ts'
import { openBenchStorage } from './domains-fill.ts'

export interface MixedFile {
  slug: string
  path: string
  bytes: Uint8Array<ArrayBuffer>
}

const HOSTS = 200
const FILES = 2_000
const BYTES_MIN = 512
/** Most files lie between these two, as many of each order of magnitude as of any other. */
const BYTES_MAX = 256 * 1024
const EVERY_LARGE = 100
export const LARGE_BYTES = 4 * 1024 * 1024

/** The files of many sites in the order of their popularity, which has nothing to do with their sizes. */
export function mixedFiles(): MixedFile[] {
  return Array.from({ length: FILES }, (_, rank) => {
    const isLarge = rank % EVERY_LARGE === EVERY_LARGE - 1
    const size = isLarge ? LARGE_BYTES : Math.round(BYTES_MIN * (BYTES_MAX / BYTES_MIN) ** ((rank * GOLDEN) % 1))
    const bytes = new Uint8Array(size)
    for (let at = 0; at < size; at += RANDOM_BYTES_MAX)
      crypto.getRandomValues(bytes.subarray(at, at + RANDOM_BYTES_MAX))
    return { slug: `site-${rank % HOSTS}`, path: `files/${rank}.${isLarge ? 'mp4' : 'webp'}`, bytes }
  })
}

/** Its multiples are spread evenly, without a pattern. */
const GOLDEN = 0.618_034
const RANDOM_BYTES_MAX = 65_536

/** Deploys them, each site to a project of its own. */
export async function fillWithSites(dataDirectory: string, files: readonly MixedFile[]): Promise<void> {
  await using storage = await openBenchStorage(dataDirectory)
  for (const [slug, own] of Map.groupBy(files, (file) => file.slug)) {
    const { id: projectId } = await createProject({ storage, clock }, { slug })
    const planned = []
    for (const { path, bytes } of own) {
      const sha256 = await sha256Hex(bytes)
      await storeBlob({ storage, clock }, directoryHolder(projectId), { sha256, content: bytes })
      planned.push({ path, sha256, bytes: bytes.length })
    }
    await deployDirectory({ storage, clock, contentTypeOf }, { projectId, name: 'bench', audited: storage }, planned)
  }
}
