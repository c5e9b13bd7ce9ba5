import { insertMember } from '../features/accounts/member-writes.ts'
import { countOwnedProjects } from '../features/accounts/queries.ts'
import { takeOwnerTurn } from '../features/projects/freed-slugs.ts'
import { createdProject, type NewProject, parseNewProject, type Project } from '../features/projects/projects.ts'
import { noteOfCreation, type NewProjectRow, openProject } from '../features/projects/writes.ts'
import type { Clock } from '../platform/clock.ts'
import { conflict } from '../platform/errors.ts'
import { type AuditedStorage, defineWrite } from '../platform/storage/storage.ts'

const PROJECTS_PER_OWNER_MAX = 20

export const insertOwnProject = defineWrite(
  'projects.insertOwn',
  async (db, project: NewProjectRow & { accountId: string }, engine) => {
    const { accountId, now } = project
    await takeOwnerTurn(db, engine, accountId)
    if ((await countOwnedProjects(db, accountId)) >= PROJECTS_PER_OWNER_MAX) return { kind: 'too-many' as const }
    const outcome = await openProject(db, engine, project)
    if (outcome.kind === 'created') {
      await insertMember(db, { project_id: outcome.project.id, account_id: accountId, role: 'owner', joined_at: now })
    }
    return outcome
  },
  { note: (_, outcome) => (outcome.kind === 'too-many' ? undefined : noteOfCreation(outcome)) },
)

/** A project that belongs to the account from its first moment. */
export async function createOwnProject(
  { storage, clock }: { storage: AuditedStorage; clock: Clock },
  accountId: string,
  input: NewProject,
): Promise<Project> {
  const project = { ...parseNewProject(input, clock.now()), accountId }
  const outcome = await storage.write(insertOwnProject, project)
  if (outcome.kind === 'too-many') throw conflict('You own 20 projects: delete one, or let somebody else own it.')
  return createdProject(outcome, project.slug)
}
