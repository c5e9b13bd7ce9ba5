import '../tables.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import type { Db } from '../../../platform/storage/tables.ts'
import { setConfirmed } from '../account-writes.ts'
import { insertLinkToGive, type LinkToGive } from '../mail/mailed-link.ts'
import { noteOfWithdrawn, takeLink, type WithdrawnInvitation } from '../member-writes.ts'
import { findAccountByEmail } from '../queries.ts'
import { countFactors } from '../second-factors/factor-writes.ts'
import { forgetChallenges, insertSession, personOf, type SessionRow } from '../session-writes.ts'

/** Ends every other session and open links, and gives this one a new token: whoever knew the password is out. */
export const changePasswordRow = defineWrite(
  'accounts.changePassword',
  async (
    db,
    input: { accountId: string; oldHash: string; newHash: string; sessionId: string; tokenHash: string; now: number },
  ) => {
    const { numUpdatedRows } = await db
      .updateTable('accounts')
      .set({ password_hash: input.newHash, password_changed_at: input.now })
      .where('id', '=', input.accountId)
      .where('password_hash', '=', input.oldHash)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return { kind: 'stale' as const }
    await db
      .deleteFrom('sessions')
      .where('account_id', '=', input.accountId)
      .where('id', '!=', input.sessionId)
      .execute()
    const withdrawn = await endLinks(db, input.accountId, input.now)
    await db.updateTable('sessions').set({ token_hash: input.tokenHash }).where('id', '=', input.sessionId).execute()
    await forgetChallenges(db, input.accountId)
    return { kind: 'changed' as const, withdrawn }
  },
  {
    note: ({ accountId }, outcome) => {
      if (outcome.kind !== 'changed') return undefined
      return [{ verb: 'password.change', subject: accountId, accountId }, ...outcome.withdrawn.map(noteOfWithdrawn)]
    },
  },
)

/** Also those of invitations that the person has made: whoever knew the password may have made them, as a way back. */
async function endLinks(db: Db, accountId: string, now: number): Promise<WithdrawnInvitation[]> {
  const ended = await db
    .deleteFrom('one_time_links')
    .where((eb) => eb.or([eb('account_id', '=', accountId), eb('created_by', '=', accountId)]))
    .returning(['id', 'kind', 'project_id', 'expires_at'])
    .execute()
  return ended.filter((link) => link.kind === 'invitation' && link.expires_at > now)
}

/** A link that sets the account's password; an earlier one stops working. */
export const insertPasswordLink = defineWrite(
  'accounts.insertPasswordLink',
  async (db, { email, link, mail }: { email: string } & LinkToGive, engine) => {
    const account = await findAccountByEmail(db, email)
    if (!account) return { kind: 'missing' as const }
    await db.deleteFrom('one_time_links').where('account_id', '=', account.id).execute()
    await insertLinkToGive(db, engine, { link: { ...link, account_id: account.id }, mail })
    return { kind: 'created' as const, accountId: account.id }
  },
  {
    note: ({ email, mail }, outcome) =>
      outcome.kind === 'created'
        ? {
            verb: 'password.link',
            subject: email,
            accountId: outcome.accountId,
            details: { mailed: mail !== undefined },
          }
        : undefined,
  },
)

/**
 * Sets the password through a link: every session and every other link that existed ends, whoever opened it. Whoever
 * reads the mailbox still needs the account's passkey or code; a link that the operator has handed over does without,
 * as the way back for those who have lost theirs.
 */
export const resetPasswordRow = defineWrite(
  'accounts.resetPassword',
  async (
    db,
    input: { tokenHash: string; passwordHash: string; session: Omit<SessionRow, 'account_id'>; now: number },
    engine,
  ) => {
    const link = await takeLink(db, engine, { tokenHash: input.tokenHash, kind: 'password', now: input.now })
    if (!link || link.account_id === null) return { kind: 'no-link' as const }
    const isMailed = link.mailed_token_hash === input.tokenHash
    if (isMailed) await setConfirmed(db, link.account_id, input.now)
    const account = await db
      .updateTable('accounts')
      .set({ password_hash: input.passwordHash, password_changed_at: input.now })
      .where('id', '=', link.account_id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const withdrawn = await endLinks(db, account.id, input.now)
    await db.deleteFrom('sessions').where('account_id', '=', account.id).execute()
    await forgetChallenges(db, account.id)
    const needsProof = isMailed && (await countFactors(db, account.id)) > 0
    if (!needsProof) await insertSession(db, { ...input.session, account_id: account.id })
    return { kind: 'changed' as const, account, needsProof, withdrawn }
  },
  {
    note: (_, outcome) => {
      if (outcome.kind !== 'changed') return undefined
      const { id, email } = outcome.account
      const actor = personOf(outcome.account)
      const withdrawn = outcome.withdrawn.map((invitation) => ({ ...noteOfWithdrawn(invitation), actor }))
      return [{ verb: 'password.reset', subject: email, accountId: id, actor }, ...withdrawn]
    },
  },
)
