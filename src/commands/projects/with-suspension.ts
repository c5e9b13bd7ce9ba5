import { findProject } from '../../features/projects/projects.ts'
import { Suspensions } from '../../features/projects/suspensions.ts'
import type { Storage } from '../../platform/storage/storage.ts'

/** A project as servers show it to the operator. */
export async function withSuspension(storage: Pick<Storage, 'read'>, slug: string) {
  // A command ends before anything else changes.
  const suspensions = new Suspensions(storage, { on() {}, onGap() {} })
  await suspensions.load()
  const { id, ...project } = await findProject({ storage }, slug)
  return { ...project, suspension: suspensions.of(id) ?? null }
}
