import { lastOwner, noSuchMember, notOwner } from '../features/accounts/members.ts'
import { detachMember, noteOfWithdrawn, setRole, takeMemberTurn } from '../features/accounts/member-writes.ts'
import { type Role, suffices, upTo } from '../features/accounts/role.ts'
import { findMember, listAccountsById } from '../features/accounts/queries.ts'
import { handOverTokens, revokeTokensOf } from '../features/keys/tokens/writes.ts'
import { handOverKeys, noteOfRevoked, type RevokedKey, revokeKeysOf } from '../features/keys/writes.ts'
import type { Clock } from '../platform/clock.ts'
import { invalid, PetstoreError } from '../platform/errors.ts'
import { object, optional, text } from '../platform/schema.ts'
import type { AuditNote } from '../platform/storage/audit-note.ts'
import { type AuditedStorage, defineWrite, type NotedWrite } from '../platform/storage/storage.ts'
import type { Db, Engine } from '../platform/storage/tables.ts'

interface MemberKeysNeeds {
  storage: AuditedStorage
  clock: Clock
}

/** Who takes over what a member who goes has made; without anybody it ends. */
export const KeysTo = object({
  keysTo: optional(text({ description: 'Id of the member who takes over the keys and tokens; without it they end.' })),
})

/** A key or a token. */
interface Made {
  madeBy: string | null
}

export type Named<Key extends Made> = Omit<Key, 'madeBy'> & {
  madeBy: { id: string; email: string; name: string } | null
}

/** With the people who made them, as they are called now. */
export async function withMakers<Key extends Made>(read: Db, keys: readonly Key[]): Promise<Named<Key>[]> {
  const ids = [...new Set(keys.flatMap(({ madeBy }) => madeBy ?? []))]
  const makers = ids.length === 0 ? [] : await listAccountsById(read, ids)
  return keys.map((key) => ({ ...key, madeBy: makers.find(({ id }) => id === key.madeBy) ?? null }))
}

export async function withMaker<Key extends Made>(read: Db, key: Key): Promise<Named<Key>> {
  return (await withMakers(read, [key]))[0] as Named<Key>
}

/**
 * Writes of a member who makes keys or tokens, in the turn of the members: what was on its way while its maker was
 * removed is not made at all, and so cannot outlive the membership.
 */
export function storageOfMember(
  storage: AuditedStorage,
  { projectId, accountId }: { projectId: number; accountId: string },
  what: 'keys' | 'tokens',
): AuditedStorage {
  return {
    ...storage,
    async write<Input, Outcome>(write: NotedWrite<Input, Outcome>, input: Input): Promise<Outcome> {
      const asMember = defineWrite(
        `${write.name} by a member`,
        async (db, of: Input, engine) => {
          await takeMemberTurn(db, engine, projectId)
          const member = await findMember(db, projectId, accountId)
          if (!member || !suffices(member.role, 'editor')) return { kind: 'forbidden' as const }
          return { kind: 'done' as const, outcome: await write.run(db, of, engine) }
        },
        { note: (of, done) => (done.kind === 'done' ? write.note(of, done.outcome) : undefined) },
      )
      const done = await storage.write(asMember, input)
      if (done.kind === 'done') return done.outcome
      throw new PetstoreError('forbidden', `You may no longer make ${what} in this project: ask an owner.`)
    },
  }
}

interface Removal {
  projectId: number
  accountId: string
  by: string
  /** The member who takes over the keys and tokens that this one has made; without one they end. */
  keysTo: string | undefined
}

/** Whoever becomes a viewer may not write any more: what they have made ends too, unless another takes it over. */
export async function changeRole({ storage, clock }: MemberKeysNeeds, input: Removal & { role: Role }): Promise<void> {
  const outcome = await storage.write(changeRoleRow, { ...input, now: clock.now() })
  if (outcome.kind === 'missing') throw noSuchMember()
  if (outcome.kind === 'last-owner') throw lastOwner('become less than an owner')
  if (outcome.kind === 'not-owner') throw notOwner('change roles')
  if (outcome.kind === 'no-taker') throw noTaker('The role was not changed')
}

export const changeRoleRow = defineWrite(
  'members.changeRole',
  async (db, input: Removal & { role: Role; now: number }, engine) => {
    const outcome = await setRole(db, engine, input)
    if (outcome.kind !== 'changed') return outcome
    return { ...outcome, made: outcome.losesKeys ? await endMade(db, engine, input, outcome) : undefined }
  },
  {
    note: ({ projectId, role }, outcome) => {
      if (outcome.kind !== 'changed' || outcome.from === role) return undefined
      const { email: subject, from, taker, made, withdrawn } = outcome
      const became = made && { keys: made.keys, tokens: made.tokens, keysTo: taker?.email ?? null }
      const note: AuditNote = { verb: 'member.change', subject, projectId, details: { from, to: role, ...became } }
      return [note, ...notesOf(projectId, made?.revoked ?? []), ...withdrawn.map(noteOfWithdrawn)]
    },
  },
)

/** Says how many keys and tokens another member has taken over or have ended, and which keys have. */
async function endMade(
  db: Db,
  engine: Engine,
  { projectId, accountId: madeBy, now }: Removal & { now: number },
  { from: role, taker }: { from: Role; taker: { id: string } | undefined },
): Promise<{ keys: number; tokens: number; revoked: RevokedKey[] }> {
  const own = { projectId, madeBy }
  if (taker) {
    const tokens = await handOverTokens(db, own, { taker: taker.id, role, orLess: upTo(role) })
    return { keys: await handOverKeys(db, own, taker.id), tokens, revoked: [] }
  }
  const revoked = await revokeKeysOf(db, engine, own, now)
  return { keys: revoked.length, tokens: await revokeTokensOf(db, own, now), revoked }
}

const notesOf = (projectId: number, revoked: readonly RevokedKey[]) =>
  revoked.map((key) => noteOfRevoked({ projectId, ...key }))

/** Also for leaving: the member is out on the next request, and so are the keys that nobody takes over. */
export async function removeMember({ storage, clock }: MemberKeysNeeds, input: Removal): Promise<void> {
  const outcome = await storage.write(removeMemberRow, { ...input, now: clock.now() })
  if (outcome.kind === 'missing') throw noSuchMember()
  if (outcome.kind === 'last-owner') throw lastOwner('leave')
  if (outcome.kind === 'not-owner') throw notOwner('remove members')
  if (outcome.kind === 'no-taker') throw noTaker('Nobody was removed')
}

const noTaker = (refusal: string) =>
  invalid(`${refusal}: keysTo must be another member of this project, an editor or an owner.`)

export const removeMemberRow = defineWrite(
  'members.remove',
  async (db, input: Removal & { now: number }, engine) => {
    const outcome = await detachMember(db, engine, input)
    if (outcome.kind !== 'removed') return outcome
    return { ...outcome, ...(await endMade(db, engine, input, outcome)) }
  },
  {
    note: ({ projectId }, outcome) => {
      if (outcome.kind !== 'removed') return undefined
      const { email: subject, keys, tokens, taker, revoked, withdrawn } = outcome
      const details = { keys, tokens, keysTo: taker?.email ?? null }
      const note: AuditNote = { verb: 'member.remove', subject, projectId, details }
      return [note, ...notesOf(projectId, revoked), ...withdrawn.map(noteOfWithdrawn)]
    },
  },
)
