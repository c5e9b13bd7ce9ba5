import {
  acceptInvitationRow,
  createAccountRow,
  insertPasswordLink,
  renameAccountRow,
  resetPasswordRow,
  signUpRow,
} from '../features/accounts/account-writes.ts'
import {
  changeRoleRow,
  insertInvitation,
  removeMemberRow,
  withdrawInvitationRow,
} from '../features/accounts/member-writes.ts'
import { changePasswordRow, endSessions, openSession } from '../features/accounts/session-writes.ts'
import { auditedDomainWrites } from './domain-audit.ts'
import { audited, auditTrail } from '../features/audit/audited.ts'
import type { Actor, AuditNote } from '../features/audit/record.ts'
import { activateDeployRow, insertDeploy } from '../features/deploys/writes.ts'
import { insertKey, revokeKeyRow, rotateKeyRow } from '../features/keys/writes.ts'
import { endOrder, placeOrder } from '../features/orders/writes.ts'
import { addPet, updatePet } from '../features/pets/writes.ts'
import { insertProject, updatePlan, updateProject } from '../features/projects/writes.ts'
import { deleteProjectRow } from '../platform-api/delete-project.ts'

/** Every change that a person can make, and what the audit log says of it. */
export const auditedWrites = [
  audited(signUpRow, ({ account }, outcome) => {
    if (outcome.kind !== 'created') return undefined
    const actor = person(account)
    const created: AuditNote = { verb: 'account.create', subject: account.email, accountId: account.id, actor }
    return outcome.joined ? [created, joined(outcome.joined, actor)] : created
  }),
  audited(createAccountRow, ({ account, membership }, outcome) => {
    if (outcome.kind !== 'created') return undefined
    const note = { verb: 'account.create', subject: account.email, accountId: account.id, projectId: outcome.projectId }
    return { ...note, details: { operator: account.operator === 1, role: membership?.role ?? null } }
  }),
  audited(renameAccountRow, ({ accountId, name }) => ({
    verb: 'account.rename',
    subject: accountId,
    accountId,
    details: { name },
  })),
  audited(insertPasswordLink, ({ email }, outcome) =>
    outcome.kind === 'created' ? { verb: 'password.link', subject: email, accountId: outcome.accountId } : undefined,
  ),
  audited(resetPasswordRow, (_, outcome) => {
    if (outcome.kind !== 'changed') return undefined
    const { id, email } = outcome.account
    return { verb: 'password.reset', subject: email, accountId: id, actor: person(outcome.account) }
  }),
  audited(changePasswordRow, ({ accountId }, outcome) =>
    outcome.kind === 'changed' ? { verb: 'password.change', subject: accountId, accountId } : undefined,
  ),
  audited(openSession, ({ session }, outcome) => {
    if (outcome.kind !== 'opened') return undefined
    const actor = person({ id: session.account_id, email: outcome.email })
    const details = { network: session.network, userAgent: session.user_agent }
    return { verb: 'session.open', subject: session.id, accountId: session.account_id, details, actor }
  }),
  audited(endSessions, (input, { ended }) => {
    const subject = 'id' in input ? input.id : 'all others'
    return ended > 0 ? { verb: 'session.end', subject, accountId: input.accountId, details: { ended } } : undefined
  }),

  audited(acceptInvitationRow, (_, outcome) => (outcome.kind === 'accepted' ? joined(outcome.joined) : undefined)),
  audited(insertInvitation, ({ id, project_id, role, email }, outcome) =>
    outcome.kind === 'invited'
      ? { verb: 'invitation.create', subject: id, projectId: project_id, details: { role, email } }
      : undefined,
  ),
  audited(withdrawInvitationRow, ({ projectId, id }, { withdrawn }) =>
    withdrawn ? { verb: 'invitation.withdraw', subject: id, projectId } : undefined,
  ),
  audited(changeRoleRow, ({ projectId, role }, outcome) => {
    if (outcome.kind !== 'changed' || outcome.from === role) return undefined
    return { verb: 'member.change', subject: outcome.email, projectId, details: { from: outcome.from, to: role } }
  }),
  audited(removeMemberRow, ({ projectId }, outcome) =>
    outcome.kind === 'removed' ? { verb: 'member.remove', subject: outcome.email, projectId } : undefined,
  ),

  audited(insertProject, ({ slug, name, plan }, outcome) =>
    outcome.kind === 'created'
      ? { verb: 'project.create', subject: slug, projectId: outcome.project.id, details: { name, plan } }
      : undefined,
  ),
  audited(updateProject, ({ id }, outcome) => {
    if (outcome.kind !== 'updated') return undefined
    const { before, project } = outcome
    const details = {
      ...(before.name === project.name ? {} : { oldName: before.name, name: project.name }),
      ...(before.slug === project.slug ? {} : { oldSlug: before.slug, slug: project.slug }),
    }
    return Object.keys(details).length === 0
      ? undefined
      : { verb: 'project.change', subject: project.slug, projectId: id, details }
  }),
  audited(updatePlan, ({ slug, plan }, outcome) => {
    if (outcome.kind !== 'changed' || !outcome.changed) return undefined
    const { id, plan: from } = outcome.before
    return { verb: 'project.plan', subject: slug, projectId: id, details: { from, to: plan } }
  }),
  audited(deleteProjectRow, ({ id }, outcome) =>
    outcome.kind === 'deleted' ? { verb: 'project.delete', subject: outcome.slug, projectId: id } : undefined,
  ),

  audited(insertKey, ({ id, project_id, environment, name, scopes }) => ({
    verb: 'key.create',
    subject: id,
    projectId: project_id,
    details: { environment, name, scopes },
  })),
  audited(revokeKeyRow, ({ id, projectId }, outcome) =>
    outcome.kind === 'revoked' ? { verb: 'key.revoke', subject: id, projectId } : undefined,
  ),
  audited(rotateKeyRow, ({ id, projectId, oldExpiresAt }, outcome) =>
    outcome.kind === 'rotated'
      ? { verb: 'key.rotate', subject: id, projectId, details: { successor: outcome.key.id, oldExpiresAt } }
      : undefined,
  ),

  audited(insertDeploy, ({ projectId, source }, outcome) => {
    if (outcome.kind !== 'deployed') return undefined
    const { id, files, bytes } = outcome.deploy
    return { verb: 'deploy.create', subject: id, projectId, details: { source, files, bytes } }
  }),
  audited(activateDeployRow, ({ projectId, deployId }, outcome) =>
    outcome.kind === 'activated' ? { verb: 'deploy.activate', subject: deployId, projectId } : undefined,
  ),

  audited(addPet, ({ tenant: { projectId, environment }, name }, id) => ({
    verb: 'pet.add',
    subject: String(id),
    projectId,
    details: { environment, name },
  })),
  audited(updatePet, ({ tenant: { projectId, environment }, id, patch }, outcome) => {
    if (outcome.kind !== 'updated') return undefined
    const details = { environment, changed: Object.keys(patch).join(' ') }
    return { verb: 'pet.change', subject: String(id), projectId, details }
  }),
  audited(placeOrder, ({ tenant: { projectId, environment }, petId }, outcome) => {
    if (outcome.kind !== 'placed') return undefined
    const details = { environment, petId: String(petId) }
    return { verb: 'order.place', subject: String(outcome.order.id), projectId, details }
  }),
  audited(endOrder, ({ tenant: { projectId, environment }, id, status }, outcome) =>
    outcome.kind === 'ended'
      ? { verb: 'order.end', subject: String(id), projectId, details: { environment, status } }
      : undefined,
  ),

  ...auditedDomainWrites,
]

/** A storage for one actor: whatever is written through it leaves its audit entry in the same transaction. */
export const storageOf = auditTrail(auditedWrites)

const person = ({ id, email }: { id: string; email: string }): Actor => ({ kind: 'account', id, name: email })

function joined({ projectId, role }: { projectId: number | null; role: string | null }, actor?: Actor): AuditNote {
  const note = { verb: 'member.join', subject: actor?.name ?? 'invitation', projectId, details: { role } }
  return actor ? { ...note, actor } : note
}
