import { makePasswordLink } from '../../../src/features/accounts/accounts.ts'
import { codeAt, stepAt } from '../../../src/features/accounts/second-factors/one-time-code.ts'
import { storageOf } from '../../../src/features/audit/audited.ts'
import { COMMAND } from '../../../src/features/audit/record.ts'
import { expect, PASSWORD, tokenOf } from '../../platform-api/house.ts'
import { bytesOf } from '../../platform-api/second-factors.suite.ts'
import { below, type Given, made, type Scene, type Stage, unique } from './scene.ts'

const NEW_PASSWORD = 'another horse, another battery'
const withPassword = { body: { currentPassword: PASSWORD } }

/** Accounts, their sessions and factors, members, and what the operator does. */
export const PEOPLE_SCENES: Record<string, Scene> = {
  signIn: ({ owner }) => ({ by: null, body: { email: owner.email, password: PASSWORD } }),
  signUp: async (stage) => {
    const account = { email: `${unique()}@example.com`, name: 'New', password: NEW_PASSWORD }
    return { by: null, body: { token: tokenOf(await invitationLink(stage)), ...account } }
  },
  inspectLink: async (stage) => ({ by: null, body: { token: tokenOf(await invitationLink(stage)) } }),
  acceptInvitation: async (stage) => ({
    by: await stage.house.person(),
    body: { token: tokenOf((await made(stage, '/invitations', { role: 'viewer' })).link) },
  }),
  changePassword: () => ({ body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD } }),
  resetPassword: async ({ house: { shop, clock }, owner }) => {
    const storage = storageOf(shop.petstore.storage, COMMAND, clock)
    const { link } = await makePasswordLink({ storage, clock, dashboardUrl: 'http://localhost' }, owner.email)
    return { by: null, body: { token: tokenOf(link), password: NEW_PASSWORD } }
  },
  updateAccount: () => ({ body: { name: 'Another name' } }),
  changeAddress: () => ({ body: { email: `${unique()}@example.com`, currentPassword: PASSWORD } }),
  endSession: async ({ house, owner }) => {
    expect(200, await house.browser().post('/sign-in', { email: owner.email, password: PASSWORD }))
    const sessions = expect(200, await owner.browser.get('/sessions'))
    return { parameters: { session: sessions.find(({ current }: { current: boolean }) => !current).id } }
  },
  takeSecondStep: async (stage) => {
    const { recoveryCodes } = await withFactor(stage)
    const signIn = { email: stage.owner.email, password: PASSWORD }
    const { secondStep } = expect(200, await stage.house.browser().post('/sign-in', signIn))
    return { by: null, body: { ticket: secondStep.ticket, code: recoveryCodes[0] } }
  },
  beginPasskeySignIn: () => ({ by: null }),
  beginCodes: () => withPassword,
  confirmCodes: async (stage) => {
    const { secret: _, ...body } = await withCodes(stage)
    return { body }
  },
  beginPasskey: () => withPassword,
  removeSecondFactor: async (stage) => ({ parameters: { factor: (await withFactor(stage)).factor }, ...withPassword }),
  renewRecoveryCodes: async (stage) => {
    await withFactor(stage)
    return withPassword
  },
  leaveProject: async ({ house, owner, project }) => ({ by: await house.member(owner, project, 'editor') }),
  changeRole: async (stage) => ({ parameters: { account: await withMember(stage) }, body: { role: 'viewer' } }),
  removeMember: async (stage) => ({ parameters: { account: await withMember(stage) } }),
  createInvitation: () => ({ body: { role: 'editor' } }),
  getInvitationMail: async (stage) => ({
    parameters: { invitation: (await made(stage, '/invitations', { role: 'viewer' })).id },
  }),
  withdrawInvitation: async (stage) => ({
    parameters: { invitation: (await made(stage, '/invitations', { role: 'viewer' })).id },
  }),
  changePlan: (stage) => ({ ...ofProject(stage), body: { plan: 'pro' } }),
  suspendProject: (stage) => ({ ...ofProject(stage), body: { reason: 'Spam' } }),
  resumeProject: async (stage) => {
    const suspend = { method: 'PUT', body: { reason: 'Spam' } }
    expect(200, await stage.house.operator.browser.send(`/operator${below(stage)}/suspension`, suspend))
    return ofProject(stage)
  },
}

const ofProject = ({ project }: Stage): Given => ({ parameters: { slug: project } })

const invitationLink = async ({ house }: Stage): Promise<string> =>
  expect(201, await house.operator.browser.post('/operator/invitations')).link

const oneTimeCode = ({ house }: Stage, secret: string) => codeAt(bytesOf(secret), stepAt(house.clock.now()))

async function withCodes(stage: Stage) {
  const { browser } = stage.owner
  const begun = await browser.post('/account/second-factors/codes', { currentPassword: PASSWORD })
  const { ticket, secret } = expect(200, begun)
  return { ticket, secret, code: oneTimeCode(stage, secret), name: 'Phone' }
}

async function withFactor(stage: Stage) {
  const { secret, ...confirm } = await withCodes(stage)
  const added = expect(201, await stage.owner.browser.post('/account/second-factors/codes/confirm', confirm))
  return { factor: added.factor.id as string, secret, recoveryCodes: added.recoveryCodes as string[] }
}

async function withMember(stage: Stage): Promise<string> {
  const { email } = await stage.house.member(stage.owner, stage.project, 'editor')
  const members = expect(200, await stage.owner.browser.get(`${below(stage)}/members`))
  return members.find((member: { email: string }) => member.email === email).id
}
