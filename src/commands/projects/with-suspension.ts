import { findProject, listProjects } from '../../features/projects/projects.ts'
import { Suspensions } from '../../features/projects/suspensions.ts'
import type { Storage } from '../../platform/storage/storage.ts'

type Reading = Pick<Storage, 'read'>

/** A project as servers show it to the operator. */
export async function withSuspension(storage: Reading, slug: string) {
  const suspensions = await loadSuspensions(storage)
  const { id, ...project } = await findProject({ storage }, slug)
  return { ...project, suspension: suspensions.of(id) ?? null }
}

/** All of them, as servers show them to the operator. */
export async function allWithSuspensions(storage: Reading) {
  const suspensions = await loadSuspensions(storage)
  const projects = await listProjects({ storage })
  return projects.map(({ id, ...project }) => ({ ...project, suspension: suspensions.of(id) ?? null }))
}

async function loadSuspensions(storage: Reading): Promise<Suspensions> {
  // A command ends before anything else changes.
  const suspensions = new Suspensions(storage, { on() {}, onGap() {} })
  await suspensions.load()
  return suspensions
}
