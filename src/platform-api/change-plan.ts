import { countDomains } from '../features/domains/queries.ts'
import { parsePlan, type Project, projectView } from '../features/projects/projects.ts'
import { findProjectBySlug, findProjectForUpdate } from '../features/projects/queries.ts'
import type { Plan } from '../features/projects/tables.ts'
import { setPlan } from '../features/projects/writes.ts'
import { conflict, notFound } from '../platform/errors.ts'
import { type AuditedStorage, defineWrite } from '../platform/storage/storage.ts'

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
