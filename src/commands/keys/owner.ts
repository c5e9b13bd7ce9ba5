import { findKeyById } from '../../features/keys/queries.ts'
import { findProjectById } from '../../features/projects/queries.ts'
import { notFound } from '../../platform/errors.ts'
import type { Storage } from '../../platform/storage/storage.ts'

export interface KeyOwner {
  projectId: number
  project: string
}

/** The project that a key belongs to; a project or environment that is given must be the key's own. */
export async function ownerOfKey(
  { read }: Pick<Storage, 'read'>,
  id: string,
  wanted: { project?: string | undefined; environment?: string | undefined },
): Promise<KeyOwner> {
  const key = await findKeyById(read, id)
  const owner = key && (await findProjectById(read, key.project_id))
  const { project = owner?.slug, environment = key?.environment } = wanted
  if (owner && owner.slug === project && key.environment === environment) {
    return { projectId: owner.id, project: owner.slug }
  }
  const where = [wanted.project && ` in project ${wanted.project}`, wanted.environment && ` in ${wanted.environment}`]
  const advice = 'List them with: petstore keys list --project SLUG'
  throw notFound(`There is no key "${id}"${where.filter(Boolean).join('')}. ${advice}`)
}
