import { join } from 'node:path'
import { storageOf } from '../features/audit/audited.ts'
import type { Config } from '../config.ts'
import { contentTypeOf } from '../edge/site/content-types.ts'
import { PlatformSites } from '../edge/platform-sites.ts'
import { createSiteHandler, type SiteHandler } from '../edge/site/handler.ts'
import { SYSTEM } from '../features/audit/record.ts'
import { startCollector } from '../features/deploys/garbage.ts'
import { openPacker } from '../features/deploys/files/packer.ts'
import { deployedSites } from '../features/deploys/sites.ts'
import { StarterPublisher } from '../features/deploys/starter.ts'
import { UploadGate } from '../features/deploys/upload-gate.ts'
import type { UploadNeeds } from '../features/deploys/uploads.ts'
import { DEPLOYS_TOPIC } from '../features/deploys/writes.ts'
import { PROJECTS_TOPIC } from '../features/projects/writes.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { ChangeFeed } from '../platform/storage/change-feed.ts'
import type { Storage } from '../platform/storage/storage.ts'

export interface Publishing extends AsyncDisposable {
  readonly uploads: UploadNeeds
  readonly sites: PlatformSites
  readonly serveSite: SiteHandler
  /** Resolves when the projects that were created last have a site, or the log says why not. */
  publishStarter(): Promise<void>
  /** Begins to renew the starter sites that name other addresses. */
  renewStarters(): void
  /** Begins to take away files that no deploy shows any more. */
  startCollecting(): void
}

interface PublishingNeeds {
  config: Pick<Config, 'dataDirectory'>
  storage: Storage
  clock: Clock
  changes: ChangeFeed
  log: Log
  metrics: Pick<Metrics, 'countFailure'>
  openapiDocument: string
}

/** From an upload to what the edge serves: every instance shows a new deploy within a second. */
export function startPublishing(needs: PublishingNeeds): Publishing {
  const { config, storage, clock, changes, log, metrics, openapiDocument } = needs
  const told = (what: string) => (error: unknown) => log.warn({ err: error }, what)
  const source = deployedSites({ storage })
  const sites = new PlatformSites(source, clock)
  const serveSite = createSiteHandler({
    blobs: source,
    onError(error) {
      metrics.countFailure('unavailable')
      log.warn({ err: error }, 'a site could not be read')
    },
  })
  const audited = storageOf(storage, SYSTEM, clock)
  const starter = new StarterPublisher({
    storage,
    audited,
    clock,
    contentTypeOf,
    openapiDocument,
    onError: told('a starter site could not be published'),
  })
  const publishStarter = () => starter.publishMissing()
  changes.on(DEPLOYS_TOPIC, (projectId) => sites.forgetProject(projectId))
  changes.onGap(() => sites.forgetAll())
  changes.on(PROJECTS_TOPIC, (slug) => {
    sites.forgetSlug(slug)
    void publishStarter()
  })
  let collector: AsyncDisposable | undefined
  const spoolDirectory = join(config.dataDirectory, 'uploads')
  const packer = openPacker(told('the thread that compresses files has ended'))
  void publishStarter()

  return {
    uploads: { storage, clock, contentTypeOf, spoolDirectory, gate: new UploadGate(), pack: packer.pack },
    sites,
    serveSite,
    publishStarter,
    renewStarters: () => void starter.renewOthers(),
    startCollecting: () =>
      void (collector ??= startCollector({ storage, clock }, told('old files could not be collected'))),
    async [Symbol.asyncDispose]() {
      await starter[Symbol.asyncDispose]()
      await collector?.[Symbol.asyncDispose]()
      await packer[Symbol.asyncDispose]()
    },
  }
}
