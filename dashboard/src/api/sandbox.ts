import { queryOptions } from '@tanstack/react-query'
import type { ApplyRequest, NewSandboxFault, NewSandboxRecord } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'

export type {
  ApplyRequest,
  ConnectConsent,
  NewSandboxRecord,
  SandboxFault,
  SandboxRecord,
  SandboxZone,
} from '../../../client/src/platform/platform.ts'

export const sandboxQuery = queryOptions({
  queryKey: ['sandbox'],
  queryFn: ({ signal }) => platform.call('GET /sandbox/zones', { signal }),
})

export const addZone = (apex: string) => platform.call('POST /sandbox/zones', { body: { apex } })
export const removeZone = (apex: string) => platform.call('DELETE /sandbox/zones/{apex}', { apex })

export const addRecord = (apex: string, body: NewSandboxRecord) =>
  platform.call('POST /sandbox/zones/{apex}/records', { apex, body })

export const removeRecord = (apex: string, record: string) =>
  platform.call('DELETE /sandbox/zones/{apex}/records/{record}', { apex, record })

export const addFault = (apex: string, body: NewSandboxFault) =>
  platform.call('POST /sandbox/zones/{apex}/faults', { apex, body })

export const removeFault = (apex: string, fault: string) =>
  platform.call('DELETE /sandbox/zones/{apex}/faults/{fault}', { apex, fault })

/** What an apply link asks somebody to agree to. */
export const consentQuery = (request: ApplyRequest) =>
  queryOptions({
    queryKey: ['sandbox', 'consent', request],
    queryFn: () => platform.call('POST /sandbox/domain-connect/consent', { body: request }),
    retry: false,
  })

export const answerRequest = (body: ApplyRequest & { consents: boolean }) =>
  platform.call('POST /sandbox/domain-connect/apply', { body })
