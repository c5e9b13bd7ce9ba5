import './tables.ts'
import { publishChange } from '../../platform/storage/change-feed.ts'
import { nextNumber } from '../../platform/storage/sequence.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { forgetFreedSlug, freeSlug, hasFreedTooMany, isQuarantined, takeSlugTurn } from './freed-slugs.ts'
import { findProjectById, findProjectBySlug } from './queries.ts'
import type { Plan } from './tables.ts'

/** Announced with a slug whenever what it leads to has changed. */
export const PROJECTS_TOPIC = 'projects'

const PROJECTS_PER_OWNER_MAX = 20

export const insertProject = defineWrite(
  'projects.insert',
  async (db, input: { slug: string; name: string; plan: Plan; ownerId?: string | undefined; now: number }, engine) => {
    const { slug, name, plan, ownerId = null, now } = input
    await takeSlugTurn(db, engine, [slug])
    if (await findProjectBySlug(db, slug)) return { kind: 'taken' as const }
    if (await isQuarantined(db, slug, { accountId: ownerId }, now)) return { kind: 'quarantined' as const }
    if (await hasFreedTooMany(db, ownerId, now)) return { kind: 'freed-too-many' as const }
    if (ownerId !== null && (await ownsTooMany(db, ownerId))) return { kind: 'too-many' as const }
    const id = await nextNumber(db, engine, 'projects')
    const project = { id, slug, name, plan, created_at: now, deleted_at: null }
    await db.insertInto('projects').values(project).execute()
    await forgetFreedSlug(db, slug)
    if (ownerId !== null) {
      const owner = { project_id: id, account_id: ownerId, role: 'owner' as const, joined_at: now }
      await db.insertInto('members').values(owner).execute()
    }
    await publishChange(db, engine, PROJECTS_TOPIC, slug, now)
    return { kind: 'created' as const, project }
  },
  {
    note: ({ slug, name, plan }, outcome) =>
      outcome.kind === 'created'
        ? { verb: 'project.create', subject: slug, projectId: outcome.project.id, details: { name, plan } }
        : undefined,
  },
)

async function ownsTooMany(db: Db, accountId: string): Promise<boolean> {
  const { owned } = await db
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('owned'))
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return owned >= PROJECTS_PER_OWNER_MAX
}

export const updateProject = defineWrite(
  'projects.update',
  async (
    db,
    input: { id: number; name: string | undefined; slug: string | undefined; accountId: string; now: number },
    engine,
  ) => {
    const { id, accountId, now } = input
    const before = await findProjectById(db, id)
    if (!before) return { kind: 'missing' as const }
    const { name = before.name, slug = before.slug } = input
    if (slug !== before.slug) {
      await takeSlugTurn(db, engine, [before.slug, slug])
      if (await findProjectBySlug(db, slug)) return { kind: 'taken' as const }
      if (await isQuarantined(db, slug, { accountId, projectId: id }, now)) return { kind: 'quarantined' as const }
      if (await hasFreedTooMany(db, accountId, now)) return { kind: 'freed-too-many' as const }
      await freeSlug(db, before.slug, { project_id: id, freed_by: accountId, freed_at: now })
      await forgetFreedSlug(db, slug)
      await publishChange(db, engine, PROJECTS_TOPIC, before.slug, now)
      await publishChange(db, engine, PROJECTS_TOPIC, slug, now)
    }
    await db.updateTable('projects').set({ name, slug }).where('id', '=', id).where('slug', '=', before.slug).execute()
    return { kind: 'updated' as const, before, project: { ...before, name, slug } }
  },
  {
    note: ({ id }, outcome) => {
      if (outcome.kind !== 'updated') return undefined
      const { before, project } = outcome
      const details = {
        ...(before.name === project.name ? {} : { oldName: before.name, name: project.name }),
        ...(before.slug === project.slug ? {} : { oldSlug: before.slug, slug: project.slug }),
      }
      if (Object.keys(details).length === 0) return undefined
      return { verb: 'project.change', subject: project.slug, projectId: id, details }
    },
  },
)

export const updatePlan = defineWrite(
  'projects.updatePlan',
  async (db, input: { slug: string; plan: Plan }) => {
    const before = await findProjectBySlug(db, input.slug)
    if (!before) return { kind: 'missing' as const }
    await db.updateTable('projects').set({ plan: input.plan }).where('id', '=', before.id).execute()
    return { kind: 'changed' as const, before, changed: before.plan !== input.plan }
  },
  {
    note: ({ slug, plan }, outcome) => {
      if (outcome.kind !== 'changed' || !outcome.changed) return undefined
      const { id, plan: from } = outcome.before
      return { verb: 'project.plan', subject: slug, projectId: id, details: { from, to: plan } }
    },
  },
)

/**
 * The moment in which a project stops existing for everybody: its slug is free (and kept from strangers),
 * its members and invitations are gone. Its many rows are taken away afterwards, a few at a time.
 */
export async function closeProject(
  db: Db,
  input: { id: number; accountId: string | null; now: number },
  engine: Parameters<typeof publishChange>[1],
) {
  const project = await findProjectById(db, input.id)
  if (!project) return undefined
  await takeSlugTurn(db, engine, [project.slug])
  await freeSlug(db, project.slug, { project_id: project.id, freed_by: input.accountId, freed_at: input.now })
  await db
    .updateTable('projects')
    .set({ slug: `~${project.id}`, deleted_at: input.now })
    .where('id', '=', project.id)
    .execute()
  await db.deleteFrom('members').where('project_id', '=', project.id).execute()
  await db.deleteFrom('one_time_links').where('project_id', '=', project.id).execute()
  await publishChange(db, engine, PROJECTS_TOPIC, project.slug, input.now)
  return project
}
