import type { Clock } from '../../platform/clock.ts'
import { conflict, invalid, notFound, type PetstoreError } from '../../platform/errors.ts'
import { iso } from '../../platform/iso-date.ts'
import type { ListPart } from '../../platform/storage/rows/containing.ts'
import type { AuditedStorage, Storage } from '../../platform/storage/storage.ts'
import type { Tables } from '../../platform/storage/tables.ts'
import { findProjectBySlug, listProjectRows } from './queries.ts'
import { parseSlug } from './slug.ts'
import { PLANS, type Plan } from './tables.ts'
import { insertProject, type NewProjectRow, type OpenOutcome } from './writes.ts'

export interface Project {
  id: number
  slug: string
  name: string
  plan: Plan
  /** Only members with a passkey or one-time codes get in. */
  requireSecondFactor: boolean
  createdAt: string
}

/** How many domains a project holds. */
export type CountDomains = (projectId: number) => Promise<number>

export interface NewProject {
  slug: string
  name?: string | undefined
  plan?: string | undefined
}

/** A project that nobody owns yet, for the operator. */
export async function createProject(
  { storage, clock }: { storage: AuditedStorage; clock: Clock },
  input: NewProject,
): Promise<Project> {
  const project = parseNewProject(input, clock.now())
  return createdProject(await storage.write(insertProject, project), project.slug)
}

export function parseNewProject(input: NewProject, now: number): NewProjectRow {
  const slug = parseSlug(input.slug)
  return { slug, name: input.name?.trim() || slug, plan: parsePlan(input.plan ?? 'free'), accountId: null, now }
}

export function createdProject(outcome: OpenOutcome, slug: string): Project {
  if (outcome.kind !== 'created') throw slugRefused(outcome.kind, slug)
  return projectView(outcome.project)
}

export async function findProject({ storage }: { storage: Pick<Storage, 'read'> }, slug: string): Promise<Project> {
  const row = await findProjectBySlug(storage.read, slug)
  if (!row) throw notFound(`There is no project "${slug}". List them with: petstore projects list`)
  return projectView(row)
}

export async function listProjects(
  { storage }: { storage: Pick<Storage, 'read'> },
  part: ListPart = {},
): Promise<Project[]> {
  return (await listProjectRows(storage.read, part)).map(projectView)
}

export function parsePlan(text: string): Plan {
  const plan = PLANS.find((known) => known === text)
  if (!plan) throw invalid(`"${text}" is no plan: choose ${PLANS.join(', ')}.`)
  return plan
}

export function slugRefused(why: 'taken' | 'quarantined' | 'freed-too-many', slug: string): PetstoreError {
  switch (why) {
    case 'taken':
      return conflict(`The slug "${slug}" is taken: choose another one.`)
    case 'quarantined':
      return conflict(
        `The slug "${slug}" was given up in the last 90 days, and old links lead to it: choose another one.`,
      )
    case 'freed-too-many':
      return conflict('You have given up 10 slugs in the last 90 days: keep the ones that you have for a while.')
  }
}

export function projectView(
  row: Pick<Tables['projects'], 'id' | 'slug' | 'name' | 'plan' | 'require_second_factor' | 'created_at'>,
): Project {
  const { id, slug, name, plan, require_second_factor, created_at } = row
  return { id, slug, name, plan, requireSecondFactor: require_second_factor === 1, createdAt: iso(created_at) }
}
