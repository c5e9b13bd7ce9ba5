import { insertLink, type LinkRow } from '../features/accounts/mail/mailed-link.ts'
import { newLink } from '../features/accounts/links.ts'
import { recordAudit, SYSTEM } from '../features/audit/record.ts'
import { insertKeyRows, type NewKeyRow } from '../features/keys/writes.ts'
import { hashKey, hintOfKey, mintKey } from '../features/keys/format.ts'
import { isFirstStart } from '../features/projects/queries.ts'
import { insertProjectRow } from '../features/projects/writes.ts'
import { ENVIRONMENTS, type Environment } from '../platform/http/operation.ts'
import { newId } from '../platform/id.ts'
import { defineWrite, type Storage } from '../platform/storage/storage.ts'
import { takeTurn } from '../platform/storage/turns.ts'

const FIRST_PROJECT = 'petstore'
/** Not that of the product: people tell the two apart. */
const FIRST_NAME = 'My pet shop'

/**
 * The first project, its keys and its owner's link, or nothing when any project exists: also when two instances start
 * at once.
 */
const createFirstProject = defineWrite(
  'firstStart.create',
  async (
    db,
    input: { keys: Omit<NewKeyRow, 'project_id'>[]; ownerLink: LinkRow; now: number },
    engine,
  ): Promise<boolean> => {
    await takeTurn(db, engine, 'first start')
    if (!(await isFirstStart(db))) return false
    const project = { slug: FIRST_PROJECT, name: FIRST_NAME, plan: 'pro' as const, now: input.now }
    const { id } = await insertProjectRow(db, engine, project)
    const keys = input.keys.map((key) => ({ ...key, project_id: id }))
    await insertKeyRows(db, keys)
    await insertLink(db, { ...input.ownerLink, project_id: id })
    await recordAudit(db, engine, SYSTEM, { verb: 'project.create', subject: FIRST_PROJECT, projectId: id }, input.now)
    return true
  },
)

export type FirstKeys = Record<Environment, string>

export interface FirstStart {
  keys: FirstKeys
  /** Of the link that creates the owner's account. */
  ownerToken: string
}

/** The secrets of the first project, on the start that creates it; they are not to be had again. */
export async function firstStart(storage: Storage, now: number): Promise<FirstStart | undefined> {
  if (!(await isFirstStart(storage.read))) return undefined
  const minted: FirstKeys = { production: mintKey('production'), staging: mintKey('staging') }
  const keys = ENVIRONMENTS.map((environment) => ({
    id: newId('key'),
    environment,
    hash: hashKey(minted[environment]),
    hint: hintOfKey(minted[environment]),
    name: 'First key',
    scopes: 'read write',
    created_at: now,
    expires_at: null,
    rotated_from: null,
    made_by: null,
  }))
  const { token: ownerToken, row: ownerLink } = newLink('invitation', { role: 'owner', operator: 1 }, now)
  return (await storage.write(createFirstProject, { keys, ownerLink, now })) ? { keys: minted, ownerToken } : undefined
}
