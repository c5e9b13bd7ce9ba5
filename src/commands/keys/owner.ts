import '../../features/keys/tables.ts'
import '../../features/projects/tables.ts'
import { notFound } from '../../platform/errors.ts'
import type { Storage } from '../../platform/storage/storage.ts'

export interface KeyOwner {
  projectId: number
  project: string
}

/** The project that a key belongs to; a project or environment that is given must be the key's own. */
export async function ownerOfKey(
  storage: Storage,
  id: string,
  given: { project?: string | undefined; environment?: string | undefined },
): Promise<KeyOwner> {
  const owner = await storage.read
    .selectFrom('keys')
    .innerJoin('projects', 'projects.id', 'keys.project_id')
    .select(['projects.id as projectId', 'projects.slug as project', 'keys.environment'])
    .where('keys.id', '=', id)
    .executeTakeFirst()
  const { project = owner?.project, environment = owner?.environment } = given
  if (owner && owner.project === project && owner.environment === environment) return owner
  const where = [given.project && ` in project ${given.project}`, given.environment && ` in ${given.environment}`]
  const advice = 'List them with: petstore keys list --project SLUG'
  throw notFound(`There is no key "${id}"${where.filter(Boolean).join('')}. ${advice}`)
}
