import { randomBytes } from 'node:crypto'
import { type AuditedStorage, defineWrite } from './storage.ts'
import type { Db } from './tables.ts'

/** Keeps the first value that any instance proposes. */
export const proposeSetting = defineWrite(
  'settings.propose',
  async (db, input: { name: string; value: string }) => {
    await db
      .insertInto('settings')
      .values(input)
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    const { value } = await db
      .selectFrom('settings')
      .select('value')
      .where('name', '=', input.name)
      .executeTakeFirstOrThrow()
    return value
  },
  // The service makes such a value for itself, whoever happens to be there.
  { note: () => undefined },
)

/** A value that is made once and then the same for every instance and every start. */
export async function settledValue(
  storage: AuditedStorage,
  name: string,
  propose: () => string | Promise<string>,
): Promise<string> {
  return (await findSetting(storage, name)) ?? storage.write(proposeSetting, { name, value: await propose() })
}

/** Such a value that nobody can guess. */
export const settledSecret = (storage: AuditedStorage, name: string): Promise<string> =>
  settledValue(storage, name, () => randomBytes(32).toString('base64url'))

/** Such a value where it has been made. */
export async function findSetting({ read }: Pick<AuditedStorage, 'read'>, name: string): Promise<string | undefined> {
  return (await read.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst())?.value
}

/** Whoever needs it next makes another; whether there was one. */
export async function forgetSetting(db: Db, name: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('settings').where('name', '=', name).executeTakeFirst()
  return numDeletedRows > 0n
}
