import { setImmediate } from 'node:timers/promises'
import type { Storage } from '../../platform/storage/storage.ts'
import { FairPlaces } from '../../platform/thread/fair-places.ts'
import { findProjectBySlug } from '../projects/queries.ts'
import { readBlob } from './files/blobs.ts'
import { deployIdOf } from './preview.ts'
import { findActiveManifest, findDeployManifest, findManifestPage } from './queries.ts'

export interface DeployedFile {
  path: string
  sha256: string
  encodings: { identity: number; br?: number; gzip?: number }
}

/** Some milliseconds of the event loop. */
const FILES_PER_PAGE = 250

/** PostgreSQL reads elsewhere: one answer that does not come must not hold up every site that is not in memory. */
const PAGES_AT_ONCE = { sqlite: 1, postgres: 4 }

/** What the edge asks about deploys. */
export function deployedSites({ storage }: { storage: Storage }) {
  const reading = new FairPlaces(PAGES_AT_ONCE[storage.engine])

  /** One in a turn of the event loop, however many large sites are asked for at once. */
  async function pageOf(manifestId: number, after: string) {
    using _place = await reading.take(String(manifestId))
    const rows = await findManifestPage(storage.read, { manifestId, after, limit: FILES_PER_PAGE })
    if (rows.length === FILES_PER_PAGE) await setImmediate()
    return rows
  }

  return {
    async projectAt(slug: string): Promise<number | undefined> {
      return (await findProjectBySlug(storage.read, slug))?.id
    },

    async manifestOf(projectId: number): Promise<number | undefined> {
      const [active] = await findActiveManifest(storage.read, { id: projectId })
      return active?.manifest_id
    },

    async manifestAtPreview(label: string): Promise<{ projectId: number; manifestId: number } | undefined> {
      const id = deployIdOf(label)
      const deploy = id === undefined ? undefined : await findDeployManifest(storage.read, id)
      return deploy && { projectId: deploy.project_id, manifestId: deploy.manifest_id }
    },

    /** In pages, with a turn for others in between. */
    async *filesOf(manifestId: number): AsyncGenerator<DeployedFile[]> {
      for (let after = ''; ;) {
        const rows = await pageOf(manifestId, after)
        if (rows.length > 0) yield rows.map(deployedFile)
        if (rows.length < FILES_PER_PAGE) return
        after = rows.at(-1)!.path
      }
    },

    read: (sha256: string, encoding: string, start: number, end: number) =>
      readBlob({ storage }, sha256, encoding, start, end),
  }
}

function deployedFile(row: Awaited<ReturnType<typeof findManifestPage>>[number]): DeployedFile {
  return {
    path: row.path,
    sha256: row.sha256!,
    encodings: {
      identity: row.identity_bytes,
      ...(row.br_bytes === null ? {} : { br: row.br_bytes }),
      ...(row.gzip_bytes === null ? {} : { gzip: row.gzip_bytes }),
    },
  }
}
