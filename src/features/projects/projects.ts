import type { Clock } from '../../platform/clock.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { findProjectBySlug, listProjects as queryProjects } from './queries.ts'
import { parseSlug } from './slug.ts'
import { PLANS, type Plan } from './tables.ts'
import { insertProject, updatePlan } from './writes.ts'

export interface Project {
  id: number
  slug: string
  name: string
  plan: Plan
  createdAt: string
}

export async function createProject(
  { storage, clock }: { storage: Storage; clock: Clock },
  input: { slug: string; name?: string | undefined; plan?: string | undefined },
): Promise<Project> {
  const slug = parseSlug(input.slug)
  const plan = parsePlan(input.plan ?? 'free')
  const outcome = await storage.write(insertProject, { slug, name: input.name ?? slug, plan, now: clock.now() })
  if (outcome.kind === 'taken') throw conflict(`The slug "${slug}" is taken: choose another one.`)
  return view(outcome.project)
}

export async function findProject({ storage }: { storage: Storage }, slug: string): Promise<Project> {
  const row = await findProjectBySlug(storage.read, slug)
  if (!row) throw notFound(`There is no project "${slug}". List them with: petstore projects list`)
  return view(row)
}

export async function listProjects({ storage }: { storage: Storage }): Promise<Project[]> {
  return (await queryProjects(storage.read)).map(view)
}

export async function changePlan({ storage }: { storage: Storage }, slug: string, planText: string): Promise<Project> {
  const plan = parsePlan(planText)
  await storage.write(updatePlan, { slug, plan })
  return findProject({ storage }, slug)
}

function parsePlan(text: string): Plan {
  const plan = PLANS.find((known) => known === text)
  if (!plan) throw invalid(`"${text}" is no plan: choose ${PLANS.join(', ')}.`)
  return plan
}

function view(row: { id: number; slug: string; name: string; plan: Plan; created_at: number }): Project {
  return { id: row.id, slug: row.slug, name: row.name, plan: row.plan, createdAt: new Date(row.created_at).toISOString() }
}
