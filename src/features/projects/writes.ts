import './tables.ts'
import { nextNumber } from '../../platform/storage/sequence.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import { findProjectBySlug } from './queries.ts'
import type { Plan } from './tables.ts'

export const insertProject = defineWrite(
  'projects.insert',
  async (db, input: { slug: string; name: string; plan: Plan; now: number }, engine) => {
    if (await findProjectBySlug(db, input.slug)) return { kind: 'taken' as const }
    const id = await nextNumber(db, engine, 'projects')
    const project = { id, slug: input.slug, name: input.name, plan: input.plan, created_at: input.now }
    await db.insertInto('projects').values(project).execute()
    return { kind: 'created' as const, project }
  },
)

export const updatePlan = defineWrite('projects.updatePlan', async (db, input: { slug: string; plan: Plan }) => {
  const result = await db
    .updateTable('projects')
    .set({ plan: input.plan })
    .where('slug', '=', input.slug)
    .executeTakeFirst()
  return { changed: result.numUpdatedRows > 0n }
})
