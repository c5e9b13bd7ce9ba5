import { storageOf } from '../../src/features/audit/audited.ts'
import { SYSTEM } from '../../src/features/audit/record.ts'
import { commitDeploy } from '../../src/features/deploys/deploys.ts'
import { planManifest } from '../../src/features/deploys/files/manifest.ts'
import { storeFiles } from '../../src/features/deploys/uploads.ts'
import { findProjectBySlug } from '../../src/features/projects/queries.ts'
import type { Petstore } from '../../src/main.ts'
import { systemClock } from '../../src/platform/clock.ts'

const HOLDER = 'own site'

/** Deploys a small site of the project's own: with the starter site alone no domain can be added. */
export async function publishOwnSite(
  { storage, changes }: Pick<Petstore, 'storage' | 'changes'>,
  slug = 'petstore',
): Promise<void> {
  const project = await findProjectBySlug(storage.read, slug)
  const files = await storeFiles({ storage, clock: systemClock }, HOLDER, [
    { path: 'index.html', bytes: Buffer.from('<!doctype html><title>Our own</title><h1>Our own site</h1>') },
  ])
  const manifest = await planManifest(files, () => 'text/html; charset=utf-8')
  const deployer = { projectId: project!.id, name: 'Ada', audited: storageOf(storage, SYSTEM, systemClock) }
  await commitDeploy({ clock: systemClock }, deployer, { manifest, source: 'archive', holder: HOLDER })
  await changes.catchUp()
}
