import { defineWrite } from '../../src/platform/storage/storage.ts'

/** Somebody who owns all of these projects. */
export const insertOwner = defineWrite('test.insertOwner', async (db, projectIds: number[]) => {
  const name = { id: 'acc_eve', email: 'eve@example.com', name: 'Eve' }
  const rest = { password_hash: null, password_changed_at: 0, operator: 0, created_at: 0, must_confirm: 0 }
  await db
    .insertInto('accounts')
    .values({ ...name, ...rest })
    .execute()
  const members = projectIds.map((project_id) => ({
    project_id,
    account_id: name.id,
    role: 'owner' as const,
    joined_at: 0,
  }))
  await db.insertInto('members').values(members).execute()
})
