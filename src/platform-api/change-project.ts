import { isOwner, takeMemberTurn } from '../features/accounts/member-writes.ts'
import { notOwner } from '../features/accounts/members.ts'
import { countDomains } from '../features/domains/queries.ts'
import { takeOwnerTurn } from '../features/projects/freed-slugs.ts'
import { parsePlan, type Project, projectView, slugRefused } from '../features/projects/projects.ts'
import { findProjectById, findProjectBySlug, findProjectForUpdate } from '../features/projects/queries.ts'
import { parseSlug } from '../features/projects/slug.ts'
import type { Plan } from '../features/projects/tables.ts'
import { type ProjectUpdate, setPlan, updateProjectRow } from '../features/projects/writes.ts'
import type { Clock } from '../platform/clock.ts'
import { conflict, invalid, notFound } from '../platform/errors.ts'
import { type AuditedStorage, defineWrite } from '../platform/storage/storage.ts'

export const updateProject = defineWrite(
  'projects.update',
  async (db, input: ProjectUpdate, engine) => {
    const { id, accountId } = input
    if (input.slug !== undefined) await takeOwnerTurn(db, engine, accountId)
    await takeMemberTurn(db, engine, id)
    // Whoever asks may have been removed since the request was admitted.
    if (!(await isOwner(db, id, accountId))) {
      return { kind: (await findProjectById(db, id)) ? ('not-owner' as const) : ('missing' as const) }
    }
    return updateProjectRow(db, engine, input)
  },
  {
    note: ({ id }, outcome) => {
      if (outcome.kind !== 'updated') return undefined
      const { before, project } = outcome
      const details = {
        ...(before.name === project.name ? {} : { oldName: before.name, name: project.name }),
        ...(before.slug === project.slug ? {} : { oldSlug: before.slug, slug: project.slug }),
        ...(before.require_second_factor === project.require_second_factor
          ? {}
          : { requireSecondFactor: project.require_second_factor === 1 }),
      }
      if (Object.keys(details).length === 0) return undefined
      return { verb: 'project.change', subject: project.slug, projectId: id, details }
    },
  },
)

interface ProjectChange {
  projectId: number
  accountId: string
  name?: string | undefined
  slug?: string | undefined
  requireSecondFactor?: boolean | undefined
}

export async function changeProject(
  { storage, clock }: { storage: AuditedStorage; clock: Clock },
  input: ProjectChange,
): Promise<Project> {
  if (input.name === undefined && input.slug === undefined && input.requireSecondFactor === undefined) {
    throw invalid('The project was not changed: send a name, a slug or requireSecondFactor.')
  }
  const outcome = await storage.write(updateProject, {
    id: input.projectId,
    name: input.name?.trim(),
    slug: input.slug === undefined ? undefined : parseSlug(input.slug),
    requireSecondFactor: input.requireSecondFactor,
    accountId: input.accountId,
    now: clock.now(),
  })
  if (outcome.kind === 'missing') throw notFound('This project has been deleted.')
  if (outcome.kind === 'not-owner') throw notOwner('change a project')
  if (outcome.kind !== 'updated') throw slugRefused(outcome.kind, input.slug ?? '')
  return projectView(outcome.project)
}

export const changePlanRow = defineWrite(
  'projects.changePlan',
  async (db, { slug, plan }: { slug: string; plan: Plan }, engine) => {
    const found = await findProjectBySlug(db, slug)
    // Whoever adds a domain has this row, too: each sees what the other has done.
    const before = found && (await findProjectForUpdate(db, engine, found.id))
    if (!before) return { kind: 'missing' as const }
    const domains = plan === 'free' ? await countDomains(db, before.id) : 0
    if (domains > 0) return { kind: 'domains' as const, domains }
    await setPlan(db, before.id, plan)
    return { kind: 'changed' as const, before, project: { ...before, plan } }
  },
  {
    note: (_, outcome) => {
      if (outcome.kind !== 'changed' || outcome.before.plan === outcome.project.plan) return undefined
      const { id: projectId, slug: subject, plan: to } = outcome.project
      return { verb: 'project.plan', subject, projectId, details: { from: outcome.before.plan, to } }
    },
  },
)

/** A downgrade that would leave domains without a plan is refused. */
export async function changePlan(
  { storage }: { storage: AuditedStorage },
  slug: string,
  planText: string,
): Promise<Project> {
  const outcome = await storage.write(changePlanRow, { slug, plan: parsePlan(planText) })
  if (outcome.kind === 'missing') {
    throw notFound(`There is no project "${slug}". List them with: petstore projects list`)
  }
  if (outcome.kind === 'domains') {
    const what = outcome.domains === 1 ? 'a custom domain' : `${outcome.domains} custom domains`
    throw conflict(`"${slug}" has ${what}, which the plan free does not include: remove them first.`)
  }
  return projectView(outcome.project)
}
