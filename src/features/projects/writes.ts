import './tables.ts'
import type { AuditNote } from '../../platform/storage/audit-note.ts'
import { publishChange } from '../../platform/storage/change-feed.ts'
import { nextNumber } from '../../platform/storage/sequence.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import {
  forgetFreedSlug,
  freeSlug,
  hasFreedTooMany,
  isQuarantined,
  keepSlugsFromFormer,
  takeSlugTurn,
} from './freed-slugs.ts'
import { findProjectBySlug, findProjectForUpdate } from './queries.ts'
import type { Plan } from './tables.ts'

/** Announced with a slug whenever what it leads to has changed. */
export const PROJECTS_TOPIC = 'projects'

export interface NewProjectRow {
  slug: string
  name: string
  plan: Plan
  /** Who takes the slug. */
  accountId: string | null
  now: number
}

export type OpenOutcome =
  | { kind: 'taken' | 'quarantined' | 'freed-too-many' }
  | { kind: 'created'; project: Awaited<ReturnType<typeof insertProjectRow>> }

/** Created by the operator. A person's own project is opened together with its first member. */
export const insertProject = defineWrite(
  'projects.insert',
  (db, project: NewProjectRow, engine) => openProject(db, engine, project),
  { note: (_, outcome) => noteOfCreation(outcome) },
)

export function noteOfCreation(outcome: OpenOutcome): AuditNote | undefined {
  if (outcome.kind !== 'created') return undefined
  const { id: projectId, slug, name, plan } = outcome.project
  return { verb: 'project.create', subject: slug, projectId, details: { name, plan } }
}

export async function openProject(db: Db, engine: Engine, project: NewProjectRow): Promise<OpenOutcome> {
  const { slug, accountId, now } = project
  await takeSlugTurn(db, engine, [slug])
  if (await findProjectBySlug(db, slug)) return { kind: 'taken' }
  if (await isQuarantined(db, slug, { accountId }, now)) return { kind: 'quarantined' }
  if (await hasFreedTooMany(db, { accountId, slug }, now)) return { kind: 'freed-too-many' }
  const row = await insertProjectRow(db, engine, project)
  await forgetFreedSlug(db, slug)
  await publishChange(db, engine, PROJECTS_TOPIC, slug, now)
  return { kind: 'created', project: row }
}

export async function insertProjectRow(
  db: Db,
  engine: Engine,
  { slug, name, plan, now }: Omit<NewProjectRow, 'accountId'>,
) {
  const id = await nextNumber(db, engine, 'projects')
  const project = { id, slug, name, plan, created_at: now, deleted_at: null, require_second_factor: 0 }
  await db.insertInto('projects').values(project).execute()
  return project
}

export interface ProjectUpdate {
  id: number
  name: string | undefined
  slug: string | undefined
  requireSecondFactor: boolean | undefined
  /** Who changes it, and gives its slug up. */
  accountId: string
  now: number
}

/** For the transaction that has seen that an owner asks for it, and has their turn where the slug changes. */
export async function updateProjectRow(db: Db, engine: Engine, input: ProjectUpdate) {
  const { id, accountId, now } = input
  const before = await findProjectForUpdate(db, engine, id)
  if (!before) return { kind: 'missing' as const }
  const { name = before.name, slug = before.slug } = input
  if (slug !== before.slug) {
    await takeSlugTurn(db, engine, [before.slug, slug])
    if (await findProjectBySlug(db, slug)) return { kind: 'taken' as const }
    if (await isQuarantined(db, slug, { accountId, projectId: id }, now)) return { kind: 'quarantined' as const }
    if (await hasFreedTooMany(db, { accountId, slug }, now)) return { kind: 'freed-too-many' as const }
    await freeSlug(db, before.slug, { project_id: id, freed_by: accountId, freed_at: now })
    await forgetFreedSlug(db, slug)
    await publishChange(db, engine, PROJECTS_TOPIC, before.slug, now)
    await publishChange(db, engine, PROJECTS_TOPIC, slug, now)
  }
  const required = input.requireSecondFactor ?? before.require_second_factor === 1
  const changed = { name, slug, require_second_factor: required ? 1 : 0 }
  await db.updateTable('projects').set(changed).where('id', '=', id).execute()
  return { kind: 'updated' as const, before, project: { ...before, ...changed } }
}

/** For the transaction that has seen that the project keeps to the plan. */
export async function setPlan(db: Db, id: number, plan: Plan): Promise<void> {
  await db.updateTable('projects').set({ plan }).where('id', '=', id).execute()
}

/**
 * The moment in which a project stops existing for everybody: its slug is free, and kept from strangers. Its many
 * rows are taken away afterwards, a few at a time.
 */
export async function closeProject(
  db: Db,
  engine: Engine,
  input: { id: number; accountId: string | null; now: number },
) {
  const project = await findProjectForUpdate(db, engine, input.id)
  if (!project) return undefined
  await takeSlugTurn(db, engine, [project.slug])
  await keepSlugsFromFormer(db, project.id)
  await freeSlug(db, project.slug, { project_id: project.id, freed_by: input.accountId, freed_at: input.now })
  await publishChange(db, engine, PROJECTS_TOPIC, project.slug, input.now)
  return project
}

/**
 * The end of that transaction. Whoever writes a row that refers to the project waits for this one from here on, and may
 * have a key or an endpoint that the deletion takes away: so it comes after all of them.
 */
export async function hideClosedProject(db: Db, { id, now }: { id: number; now: number }): Promise<void> {
  const hidden = { slug: `~${id}`, deleted_at: now }
  await db.updateTable('projects').set(hidden).where('id', '=', id).execute()
}

/** The last step of a deletion. What refers to the project and is still there goes with it. */
export async function deleteClosedProject(db: Db, id: number): Promise<void> {
  await db.deleteFrom('projects').where('id', '=', id).where('deleted_at', 'is not', null).execute()
}
