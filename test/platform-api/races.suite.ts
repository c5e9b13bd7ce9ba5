import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acceptInvitationRow, signUpRow } from '../../src/features/accounts/account-writes.ts'
import { createAccount } from '../../src/features/accounts/accounts.ts'
import { newLink } from '../../src/features/accounts/links.ts'
import { insertLink } from '../../src/features/accounts/mail/mailed-link.ts'
import {
  insertInvitation,
  insertMember,
  removeMembersOfProject,
  takeMemberTurn,
} from '../../src/features/accounts/member-writes.ts'
import { addMember } from '../../src/features/accounts/members.ts'
import { changePasswordRow, resetPasswordRow } from '../../src/features/accounts/passwords/password-writes.ts'
import { findAccountByEmail, listSessionsOfAccount } from '../../src/features/accounts/queries.ts'
import { insertFactor, removeFactorRow } from '../../src/features/accounts/second-factors/factor-writes.ts'
import { hashRecoveryCode } from '../../src/features/accounts/second-factors/recovery-code.ts'
import { openProvedSession } from '../../src/features/accounts/second-factors/second-step.ts'
import { openSession } from '../../src/features/accounts/session-writes.ts'
import { newSession } from '../../src/features/accounts/sessions.ts'
import { hashToken, mintToken } from '../../src/features/accounts/token.ts'
import { storageOf } from '../../src/features/audit/audited.ts'
import { COMMAND } from '../../src/features/audit/record.ts'
import { insertKey, revokeKeyRow, revokeKeysOfProject, rotateKeyRow } from '../../src/features/keys/writes.ts'
import { freeSlug } from '../../src/features/projects/freed-slugs.ts'
import { findProjectBySlug } from '../../src/features/projects/queries.ts'
import { closeProject, hideClosedProject, insertProjectRow } from '../../src/features/projects/writes.ts'
import { updateProject } from '../../src/platform-api/change-project.ts'
import { insertOwnProject } from '../../src/platform-api/create-project.ts'
import { deleteProjectRow } from '../../src/platform-api/delete-project.ts'
import { changeRoleRow, removeMemberRow } from '../../src/platform-api/member-keys.ts'
import { DAY_MS } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/id.ts'
import { recordMessageFor } from '../../src/platform/outbox/record.ts'
import { defineWrite, type Write } from '../../src/platform/storage/storage.ts'
import { meanwhile } from '../harness/meanwhile.ts'
import { expect, type House, PASSWORD, type Person, tokenOf } from './house.ts'

const VISITOR = { network: '127.0.0.1', userAgent: 'Test browser', sessionToken: undefined, deviceMark: undefined }
const RECOVERY_HASH = hashRecoveryCode('k7mfp-2q9xw')

/** Closed, so that nobody publishes a first site for each. */
const ownClosedProjects = defineWrite(
  'test.ownClosedProjects',
  async (db, { accountId, count }: { accountId: string; count: number }, engine) => {
    for (let left = count; left > 0; left--) {
      const slug = `~${accountId}-${left}`
      const { id } = await insertProjectRow(db, engine, { slug, name: slug, plan: 'free', now: 0 })
      await db.updateTable('projects').set({ deleted_at: 0 }).where('id', '=', id).execute()
      await insertMember(db, { project_id: id, account_id: accountId, role: 'owner', joined_at: 0 })
    }
  },
)

const giveUpSlugs = defineWrite(
  'test.giveUpSlugs',
  async (db, { accountId, count, now }: { accountId: string; count: number; now: number }) => {
    for (let left = count; left > 0; left--) {
      await freeSlug(db, `${accountId}-${left}`, { project_id: 0, freed_by: accountId, freed_at: now })
    }
  },
)

/** Two requests about one account, or one project's people, at the same moment. */
export function raceGuarantees(house: () => House): void {
  const storage = () => house().shop.petstore.storage

  /** Somebody who is signed in once, and what the requests would write. */
  const open = async () => {
    const { email, browser } = await house().person()
    const { id: accountId, password_hash } = (await findAccountByEmail(storage().read, email))!
    const now = house().clock.now()
    const sessions = async () => (await listSessionsOfAccount(storage().read, accountId, now)).map(({ id }) => id)
    const [sessionId] = (await sessions()) as [string]
    const oldHash = password_hash as string
    const session = () => ({
      session: newSession(accountId, VISITOR, now).row,
      endTokenHash: undefined,
      newDevice: true,
    })
    const tokenHash = hashToken(mintToken())
    return {
      sessionId,
      sessions,
      byPassword: { ...session(), passwordHash: oldHash },
      newPassword: { accountId, oldHash, newHash: 'of another password', sessionId, tokenHash, now },
      async factors() {
        const { factors, recoveryCodesLeft } = expect(200, await browser.get('/account/second-factors'))
        return { factors: factors.length, recoveryCodesLeft }
      },
      async firstFactor() {
        const begun = await browser.post('/account/second-factors/codes', { currentPassword: PASSWORD })
        const challengeHash = hashToken(expect(200, begun).ticket)
        const own = { id: newId('fac'), account_id: accountId, kind: 'codes' as const, name: 'Phone', created_at: now }
        const codes = { secret: 'sealed', last_step: null, last_used_at: null }
        const factor = { ...own, ...codes, credential_id: null, public_key: null, sign_count: null }
        return { factor, challengeHash, recoveryHashes: [RECOVERY_HASH], sessionId }
      },
      async passkey() {
        const { factor, ...of } = await this.firstFactor()
        const key = { credential_id: factor.id, public_key: 'of the passkey', sign_count: 0 }
        return { ...of, factor: { ...factor, kind: 'passkey' as const, secret: null, ...key } }
      },
      async proofOf(factorId: string) {
        const begun = await house().browser().post('/sign-in/passkey/options', {})
        const proof = { kind: 'passkey' as const, factorId, signCount: 0 }
        return { ...session(), email, challengeHash: hashToken(expect(200, begun).ticket), proof, now }
      },
      async signIn() {
        const stranger = house().browser()
        return { stranger, answer: await stranger.post('/sign-in', { email, password: PASSWORD }) }
      },
      bySecondStep: (ticket: string) => ({
        ...session(),
        email,
        challengeHash: hashToken(ticket),
        proof: { kind: 'recovery' as const, codeHash: RECOVERY_HASH },
        now,
      }),
    }
  }

  describe('a session does not outlive what ends it', () => {
    test('the old password opens nothing while the new one is being written', async () => {
      const { signIn, newPassword, sessions, sessionId } = await open()
      const { answer } = await meanwhile(storage(), changePasswordRow, newPassword, signIn)
      expect(401, answer)
      assert.deepEqual(await sessions(), [sessionId])
    })

    test('a new password ends a session that is being opened with the old one', async () => {
      const { byPassword, newPassword, sessions, sessionId } = await open()
      const change = () => storage().write(changePasswordRow, newPassword)
      assert.equal((await meanwhile(storage(), openSession, byPassword, change)).kind, 'changed')
      assert.deepEqual(await sessions(), [sessionId])
    })

    test('a new password ends a session that is being opened by a second step after the old one', async () => {
      const { firstFactor, signIn, bySecondStep, newPassword, sessions, sessionId } = await open()
      await storage().write(insertFactor, await firstFactor())
      const { ticket } = expect(200, (await signIn()).answer).secondStep
      const change = () => storage().write(changePasswordRow, newPassword)
      assert.equal((await meanwhile(storage(), openProvedSession, bySecondStep(ticket), change)).kind, 'changed')
      assert.deepEqual(await sessions(), [sessionId])
    })

    test('the old password brings nobody to the second step while the new one is being written', async () => {
      const { firstFactor, signIn, newPassword, sessions, sessionId } = await open()
      await storage().write(insertFactor, await firstFactor())
      const { answer } = await meanwhile(storage(), changePasswordRow, newPassword, signIn)
      assert.ok([401, 409].includes(answer.status), `${answer.status}`)
      assert.deepEqual(await sessions(), [sessionId])
    })

    test('a passkey that was checked before it was removed opens nothing after it', async () => {
      const somebody = await open()
      const factor = await somebody.passkey()
      await storage().write(insertFactor, factor)
      const { id, account_id: accountId } = factor.factor
      const proof = await somebody.proofOf(id)
      const signIn = () => storage().write(openProvedSession, proof)
      assert.equal((await meanwhile(storage(), removeFactorRow, { accountId, id }, signIn)).kind, 'spent')
      assert.deepEqual(await somebody.sessions(), [somebody.sessionId])
    })

    test('whoever signs in while the first factor is being written is asked for it', async () => {
      const { firstFactor, signIn, sessions, sessionId } = await open()
      const { stranger, answer } = await meanwhile(storage(), insertFactor, await firstFactor(), signIn)
      const { account, secondStep } = expect(200, answer)
      assert.deepEqual([account, secondStep?.methods], [null, ['codes', 'recovery']])
      expect(401, await stranger.get('/sessions'))
      assert.deepEqual(await sessions(), [sessionId])
    })

    test('a password that was checked before the first factor came opens nothing after it', async () => {
      const { firstFactor, byPassword, sessions, sessionId } = await open()
      await storage().write(insertFactor, await firstFactor())
      assert.equal((await storage().write(openSession, byPassword)).kind, 'needs-factor')
      assert.deepEqual(await sessions(), [sessionId])
    })

    test('the first factor ends a session that is being opened without it', async () => {
      const { firstFactor, byPassword, sessions, sessionId } = await open()
      const factor = await firstFactor()
      const add = () => storage().write(insertFactor, factor)
      assert.equal((await meanwhile(storage(), openSession, byPassword, add)).kind, 'added')
      assert.deepEqual(await sessions(), [sessionId])
    })
  })

  test('a factor that is added while the last one is being removed has recovery codes', async () => {
    const { firstFactor, factors } = await open()
    const [last, next] = [await firstFactor(), await firstFactor()]
    await storage().write(insertFactor, last)
    const { id, account_id: accountId } = last.factor
    await meanwhile(storage(), removeFactorRow, { accountId, id }, () => storage().write(insertFactor, next))
    assert.deepEqual(await factors(), { factors: 1, recoveryCodesLeft: 1 })
  })

  const accountOf = async ({ email }: Person) => (await findAccountByEmail(storage().read, email))!.id

  describe('of two at once the last that is allowed is done, and the other refused', () => {
    test('when an account creates its twentieth project', async () => {
      const owner = await house().person()
      const accountId = await accountOf(owner)
      await storage().write(ownClosedProjects, { accountId, count: 19 })
      const last = { slug: 'twentieth', name: 'Last', plan: 'free' as const, accountId, now: house().clock.now() }
      const add = () => owner.browser.post('/projects', { slug: 'one-too-many' })
      const refused = await meanwhile(storage(), insertOwnProject, last, add)
      assert.match(expect(409, refused).message, /You own 20 projects/)
    })

    test('when an account gives up its tenth slug', async () => {
      const { slug, owner } = await house().project()
      expect(201, await owner.browser.post('/projects', { slug: `${slug}-second` }))
      const accountId = await accountOf(owner)
      const now = house().clock.now()
      await storage().write(giveUpSlugs, { accountId, count: 9, now })
      const { id } = (await findProjectBySlug(storage().read, slug))!
      const unchanged = { name: undefined, requireSecondFactor: undefined }
      const tenth = { ...unchanged, id, slug: `${slug}-new`, accountId, now }
      const another = () => owner.browser.patch(`/projects/${slug}-second`, { slug: `${slug}-third` })
      const refused = await meanwhile(storage(), updateProject, tenth, another)
      assert.match(expect(409, refused).message, /given up 10 slugs/)
    })
  })

  test('of owners who remove or demote each other at once, the second changes nothing', async () => {
    const { slug, owner } = await house().project()
    const [one, two] = [await house().member(owner, slug, 'owner'), await house().member(owner, slug, 'owner')]
    const [first, second, third] = [await accountOf(owner), await accountOf(one), await accountOf(two)]
    const { id: projectId } = (await findProjectBySlug(storage().read, slug))!
    const by = (by: string, accountId: string) => {
      return { projectId, by, accountId, keysTo: undefined, role: 'viewer' as const, now: house().clock.now() }
    }
    const remove = () => storage().write(removeMemberRow, by(third, second))
    assert.equal((await meanwhile(storage(), removeMemberRow, by(second, third), remove)).kind, 'not-owner')
    const demote = () => storage().write(changeRoleRow, by(second, first))
    assert.equal((await meanwhile(storage(), changeRoleRow, by(first, second), demote)).kind, 'not-owner')
    const members: { id: string; role: string }[] = expect(200, await owner.browser.get(`/projects/${slug}/members`))
    const left = new Map(members.map(({ id, role }) => [id, role]))
    assert.deepEqual(
      left,
      new Map([
        [first, 'owner'],
        [second, 'viewer'],
      ]),
    )
  })

  test('a key or a token that is on its way while its maker is removed is never made', async () => {
    const { slug, owner } = await house().project()
    const { email, browser } = await house().member(owner, slug, 'editor')
    const { id: accountId } = (await findAccountByEmail(storage().read, email))!
    const { id: projectId } = (await findProjectBySlug(storage().read, slug))!
    const removal = { projectId, accountId, by: await accountOf(owner), keysTo: undefined, now: house().clock.now() }
    const bodies = { keys: { environment: 'production' }, tokens: { name: 'CI', scopes: ['deploys:read'] } }
    const make = () =>
      Promise.all(Object.entries(bodies).map(([what, body]) => browser.post(`/projects/${slug}/${what}`, body)))
    for (const answer of await meanwhile(storage(), removeMemberRow, removal, make)) {
      assert.ok([403, 404].includes(answer.status), `${answer.status}`)
    }
    for (const what of Object.keys(bodies)) {
      assert.deepEqual(expect(200, await owner.browser.get(`/projects/${slug}/${what}`)), [])
    }
  })

  test('an owner who is removed while they delete or change the project does neither', async () => {
    const { slug, owner } = await house().project()
    const { id: projectId } = (await findProjectBySlug(storage().read, slug))!
    const [by, now] = [await accountOf(owner), house().clock.now()]
    const change = { slug: `${slug}-mine`, name: undefined, requireSecondFactor: undefined }
    const wishes: ((accountId: string) => Promise<{ kind: string }>)[] = [
      (accountId) => storage().write(deleteProjectRow, { id: projectId, accountId, now }),
      (accountId) => storage().write(updateProject, { id: projectId, accountId, ...change, now }),
    ]
    for (const wish of wishes) {
      const accountId = await accountOf(await house().member(owner, slug, 'owner'))
      const removal = { projectId, accountId, by, keysTo: undefined, now }
      assert.equal((await meanwhile(storage(), removeMemberRow, removal, () => wish(accountId))).kind, 'not-owner')
    }
    expect(200, await owner.browser.get(`/projects/${slug}`))
  })

  test('nobody becomes a member of a project that is being deleted, whoever adds them', async () => {
    const { slug } = await house().project()
    const { clock } = house()
    const { id: projectId } = (await findProjectBySlug(storage().read, slug))!
    const needs = { storage: storageOf(storage(), COMMAND, clock), clock, dashboardUrl: 'http://localhost' }
    const { email } = await house().person()
    const deletion = { id: projectId, accountId: null, now: clock.now() }
    const add = () => addMember(needs, { projectId, email, role: 'owner' }).catch((error: Error) => error.message)
    const [gone, newcomer] = ['This project has been deleted.', 'newcomer@deleted.example']
    assert.equal(await meanwhile(storage(), deleteProjectRow, deletion, add), gone)
    const create = createAccount(needs, { email: newcomer, membership: { projectId, role: 'owner' } })
    await assert.rejects(create, { code: 'not_found', message: gone })
    assert.equal(await findAccountByEmail(storage().read, newcomer), undefined)
  })

  test('whoever accepts two invitations to a project at once is a member once, by the first', async () => {
    const { slug, owner } = await house().project()
    const { email, browser } = await house().person()
    const invite = async (role: string) =>
      tokenOf(expect(201, await owner.browser.post(`/projects/${slug}/invitations`, { role })).link)
    const [first, second] = [await invite('viewer'), await invite('editor')]
    const { id: accountId } = (await findAccountByEmail(storage().read, email))!
    const input = { accountId, tokenHash: hashToken(first), now: house().clock.now() }
    const accept = () => browser.post('/invitations/accept', { token: second })
    expect(409, await meanwhile(storage(), acceptInvitationRow, input, accept))
    assert.equal(expect(200, await browser.get(`/projects/${slug}`)).role, 'viewer')
  })

  describe('two that need the same locks wait in one order, and neither has to begin again', () => {
    /** Both are done, the first in two halves with the second in between, and each is run once. */
    async function once<A, B>(
      first: { begin: Write<A, unknown>['run']; goOn: Write<A, unknown>['run']; input: A },
      second: { write: Write<B, unknown>; input: B },
    ) {
      let runs = 0
      const counted = <Input>(name: string, run: Write<Input, unknown>['run']) =>
        defineWrite(name, (db, input: Input, engine) => (runs++, run(db, input, engine)))
      const write = counted(second.write.name, second.write.run)
      const both = () => storage().write(write, second.input)
      await meanwhile(storage(), counted('test.begin', first.begin), first.input, both, first.goOn)
      assert.equal(runs, 2)
    }

    async function openInvitation() {
      const { slug, owner } = await house().project()
      const { id } = (await findProjectBySlug(storage().read, slug))!
      const link = expect(201, await owner.browser.post(`/projects/${slug}/invitations`, { role: 'viewer' })).link
      const tokenHash = hashToken(tokenOf(link))
      return { id, slug, tokenHash, accountId: await accountOf(owner), now: house().clock.now() }
    }
    const newAccount = (now: number) => {
      const password = { password_hash: 'none', password_changed_at: now, email_confirmed_at: null, must_confirm: 0 }
      const id = newId('acc')
      return { id, email: `${id.toLowerCase()}@example.com`, name: 'New', operator: 0, created_at: now, ...password }
    }

    test('somebody joins a project that is being deleted', async () => {
      const { id, now } = await openInvitation()
      const { email } = await house().person()
      const account = (await findAccountByEmail(storage().read, email))!
      const joins = { project_id: id, account_id: account.id, role: 'viewer' as const, joined_at: now }
      await once(
        { begin: (db, _, engine) => takeMemberTurn(db, engine, id), goOn: insertMember, input: joins },
        { write: deleteProjectRow, input: { id, accountId: null, now } },
      )
    })

    async function openKey() {
      const { id, accountId, now } = await openInvitation()
      const key = { id: newId('key'), hash: newId('key'), hint: '', name: 'Till', scopes: 'read', made_by: accountId }
      const of = { project_id: id, environment: 'staging' as const, rotated_from: null, created_at: now }
      await storage().write(insertKey, { ...key, ...of, expires_at: null })
      return { id, key, now }
    }

    test('the operator rotates a key of a project that is being deleted', async () => {
      const { id, key, now } = await openKey()
      const [production, staging] = [1, 2].map(() => ({ id: newId('key'), hash: newId('key'), hint: '' }))
      const rotation = { projectId: id, id: key.id, oldExpiresAt: now, madeBy: undefined, now }
      await once(
        {
          begin: (db, _, engine) => revokeKeysOfProject(db, engine, id, now),
          goOn: (db) => hideClosedProject(db, { id, now }),
          input: {},
        },
        { write: rotateKeyRow, input: { ...rotation, successor: { production: production!, staging: staging! } } },
      )
      const made = await storage().read.selectFrom('keys').select('id').where('rotated_from', '=', key.id).execute()
      assert.deepEqual(made, [])
    })

    test('somebody revokes a key of a project that is being deleted, and a webhook tells of it', async () => {
      const { id, key, now } = await openKey()
      const told = { projectId: id, type: 'key.revoked', resource: `key/${key.id}`, data: '{}' }
      await once(
        {
          begin: (db, _, engine) => revokeKeyRow.run(db, { projectId: id, id: key.id, now }, engine),
          goOn: (db, _, engine) => recordMessageFor(db, engine, 'whe_one', told, now),
          input: {},
        },
        { write: deleteProjectRow, input: { id, accountId: null, now } },
      )
    })

    test('somebody signs up by an invitation to a project that is being deleted', async () => {
      const { id, tokenHash: linkTokenHash, now } = await openInvitation()
      const account = newAccount(now)
      const session = newSession(account.id, VISITOR, now).row
      const begin: Write<{ id: number }, unknown>['run'] = async (db, _, engine) => {
        await takeMemberTurn(db, engine, id)
        await closeProject(db, engine, { id, accountId: null, now })
        await hideClosedProject(db, { id, now })
      }
      await once(
        { begin, goOn: (db) => removeMembersOfProject(db, id), input: { id } },
        { write: signUpRow, input: { account, session, linkTokenHash, confirmation: undefined, now } },
      )
    })

    test('somebody uses a link to a new password who is just changing it', async () => {
      const { newPassword, sessionId } = await open()
      const { accountId, now } = newPassword
      const { token, row } = newLink('password', { account_id: accountId }, now)
      await storage().write(defineWrite('test.insertLink', insertLink), row)
      const { account_id: _, ...session } = newSession(accountId, VISITOR, now).row
      const reset = { tokenHash: hashToken(token), passwordHash: 'of a link', session, now }
      await once(
        {
          begin: (db) => db.updateTable('accounts').set({ name: 'New' }).where('id', '=', accountId).execute(),
          goOn: (db) => db.deleteFrom('one_time_links').where('account_id', '=', accountId).execute(),
          input: { sessionId },
        },
        { write: resetPasswordRow, input: reset },
      )
    })

    test('an owner invites somebody while the invitations of another one who leaves are withdrawn', async () => {
      const { id, slug, accountId, now } = await openInvitation()
      const later = now + 30 * DAY_MS
      const { row } = newLink('invitation', { project_id: id, role: 'viewer', created_by: accountId }, later)
      await once(
        {
          begin: (db, _, engine) => takeMemberTurn(db, engine, id),
          goOn: (db) => db.deleteFrom('one_time_links').where('project_id', '=', id).execute(),
          input: { slug },
        },
        { write: insertInvitation, input: { link: row, mail: undefined } },
      )
    })
  })
}
