import {
  beginCodes,
  beginPasskey,
  confirmCodes,
  confirmPasskey,
  listFactors,
  removeFactor,
  renewCodes,
} from '../../features/accounts/second-factors/second-factors.ts'
import {
  beginPasskeySignIn,
  type SecondStepNeeds,
  signInByPasskey,
  takeSecondStep,
} from '../../features/accounts/second-factors/second-step.ts'
import { object, optional, shownText, text } from '../../platform/schema.ts'
import { signInCookies } from '../cookies.ts'
import { created, done, ok, parameter, route } from '../route.ts'

const ticket = text({ minLength: 1, maxLength: 100, rule: 'must be the ticket that the first step gave' })
const code = text({ minLength: 1, maxLength: 40, rule: 'must be a one-time code or a recovery code' })
/** The JSON of the browser's answer, as text: its form is the standard's affair. */
const passkey = text({ minLength: 2, maxLength: 20_000, rule: 'must be the JSON text of what the browser answered' })
const name = shownText(100)
const currentPassword = text({ minLength: 1, maxLength: 1000, rule: 'must be a password' })

export const SecondStepProof = object({ ticket, code: optional(code), passkey: optional(passkey) })
export const PasskeySignIn = object({ ticket, passkey })
export const CurrentPassword = object({ currentPassword })
export const NewCodes = object({ ticket, code, name })
export const NewPasskey = object({ ticket, passkey, name })

/** Passkeys, one-time codes and recovery codes: signing in with them, and the account's own. */
export function secondFactorRoutes(needs: Omit<SecondStepNeeds, 'storage'>) {
  return [
    route({
      id: 'takeSecondStep',
      summary: 'Take the second step of signing in',
      description: 'By a one-time code, a recovery code or a passkey. Sets the session cookie.',
      errors: ['unauthorized', 'gone'],
      method: 'POST',
      path: '/sign-in/second-step',
      role: 'public',
      body: SecondStepProof,
      refusal: 'You are not signed in',
      async handle({ storage, visitor, secure }, body) {
        const opened = await takeSecondStep({ ...needs, storage }, body, visitor)
        return ok({ account: opened.account }, signInCookies(opened, secure))
      },
    }),
    route({
      id: 'beginPasskeySignIn',
      summary: 'Begin to sign in by a passkey',
      method: 'POST',
      path: '/sign-in/passkey/options',
      role: 'public',
      body: object({}),
      handle: async ({ storage, visitor }) => ok(await beginPasskeySignIn({ ...needs, storage }, visitor)),
    }),
    route({
      id: 'signInByPasskey',
      summary: 'Sign in by a passkey',
      description: 'Sets the session cookie.',
      errors: ['unauthorized', 'gone'],
      method: 'POST',
      path: '/sign-in/passkey',
      role: 'public',
      body: PasskeySignIn,
      refusal: 'You are not signed in',
      async handle({ storage, visitor, secure }, body) {
        const opened = await signInByPasskey({ ...needs, storage }, body, visitor)
        return ok({ account: opened.account }, signInCookies(opened, secure))
      },
    }),
    route({
      id: 'listSecondFactors',
      summary: 'List the own second factors',
      method: 'GET',
      path: '/account/second-factors',
      role: 'session',
      handle: async ({ storage, who }) => ok(await listFactors({ storage }, who)),
    }),
    route({
      id: 'beginCodes',
      summary: 'Begin to use one-time codes',
      method: 'POST',
      path: '/account/second-factors/codes',
      role: 'session',
      body: CurrentPassword,
      handle: async ({ storage, who }, body) => ok(await beginCodes({ ...needs, storage }, who, body.currentPassword)),
    }),
    route({
      id: 'confirmCodes',
      summary: 'Switch one-time codes on',
      answers: [201],
      errors: ['gone'],
      method: 'POST',
      path: '/account/second-factors/codes/confirm',
      role: 'session',
      body: NewCodes,
      refusal: 'One-time codes were not switched on',
      handle: async ({ storage, who }, body) => created(await confirmCodes({ ...needs, storage }, who, body)),
    }),
    route({
      id: 'beginPasskey',
      summary: 'Begin to add a passkey',
      method: 'POST',
      path: '/account/second-factors/passkey',
      role: 'session',
      body: CurrentPassword,
      handle: async ({ storage, who }, body) =>
        ok(await beginPasskey({ ...needs, storage }, who, body.currentPassword)),
    }),
    route({
      id: 'confirmPasskey',
      summary: 'Add a passkey',
      answers: [201],
      errors: ['gone'],
      method: 'POST',
      path: '/account/second-factors/passkey/confirm',
      role: 'session',
      body: NewPasskey,
      refusal: 'The passkey was not added',
      handle: async ({ storage, who }, body) => created(await confirmPasskey({ ...needs, storage }, who, body)),
    }),
    route({
      id: 'removeSecondFactor',
      summary: 'Remove a second factor',
      method: 'POST',
      path: '/account/second-factors/{factor}/remove',
      role: 'session',
      body: CurrentPassword,
      async handle(call, body) {
        const { storage, who } = call
        await removeFactor({ ...needs, storage }, who, parameter(call, 'factor'), body.currentPassword)
        return done()
      },
    }),
    route({
      id: 'renewRecoveryCodes',
      summary: 'Make new recovery codes',
      description: 'The old ones stop working.',
      method: 'POST',
      path: '/account/recovery-codes',
      role: 'session',
      body: CurrentPassword,
      handle: async ({ storage, who }, body) =>
        ok({ recoveryCodes: await renewCodes({ ...needs, storage }, who, body.currentPassword) }),
    }),
  ]
}
