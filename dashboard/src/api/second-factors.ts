import { queryOptions } from '@tanstack/react-query'
import type { Routes } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'

export type { NewSecondFactor, SecondFactor, SecondStep } from '../../../client/src/platform/platform.ts'

export const secondFactorsQuery = queryOptions({
  queryKey: ['second-factors'],
  queryFn: ({ signal }) => platform.call('GET /account/second-factors', { signal }),
})

export const takeSecondStep = (body: Routes['POST /sign-in/second-step']['body']) =>
  platform.call('POST /sign-in/second-step', { body })
export const beginPasskeySignIn = () => platform.call('POST /sign-in/passkey/options', { body: {} })
export const signInByPasskey = (body: Routes['POST /sign-in/passkey']['body']) =>
  platform.call('POST /sign-in/passkey', { body })

export const beginPasskey = (currentPassword: string) =>
  platform.call('POST /account/second-factors/passkey', { body: { currentPassword } })
export const confirmPasskey = (body: Routes['POST /account/second-factors/passkey/confirm']['body']) =>
  platform.call('POST /account/second-factors/passkey/confirm', { body })
export const beginCodes = (currentPassword: string) =>
  platform.call('POST /account/second-factors/codes', { body: { currentPassword } })
export const confirmCodes = (body: Routes['POST /account/second-factors/codes/confirm']['body']) =>
  platform.call('POST /account/second-factors/codes/confirm', { body })
export const removeSecondFactor = (factor: string, currentPassword: string) =>
  platform.call('POST /account/second-factors/{factor}/remove', { factor, body: { currentPassword } })
export const renewRecoveryCodes = (currentPassword: string) =>
  platform.call('POST /account/recovery-codes', { body: { currentPassword } })
