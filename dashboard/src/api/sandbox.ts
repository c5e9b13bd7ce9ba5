import { queryOptions } from '@tanstack/react-query'
import type { NewFault, NewRecord } from '../../../src/platform-api/routes/sandbox.ts'
import type {
  SandboxFaultView as SandboxFault,
  SandboxRecordView as SandboxRecord,
  SandboxZoneView as SandboxZone,
} from '../../../src/features/sandbox/sandbox.ts'
import type { Static } from '../../../src/platform/schema.ts'
import { request } from './request.ts'

export type { SandboxFault, SandboxRecord, SandboxZone }
export type RecordInput = Static<typeof NewRecord>
export type FaultInput = Static<typeof NewFault>

const zonePath = (apex: string) => `/sandbox/zones/${encodeURIComponent(apex)}`

export const sandboxQuery = queryOptions({
  queryKey: ['sandbox'],
  queryFn: ({ signal }) => request<SandboxZone[]>('/sandbox/zones', { signal }),
})

export const addZone = (apex: string) => request<void>('/sandbox/zones', { method: 'POST', body: { apex } })
export const removeZone = (apex: string) => request<void>(zonePath(apex), { method: 'DELETE' })

export const addRecord = (apex: string, body: RecordInput) =>
  request<SandboxRecord>(`${zonePath(apex)}/records`, { method: 'POST', body })

export const removeRecord = (apex: string, id: string) =>
  request<void>(`${zonePath(apex)}/records/${id}`, { method: 'DELETE' })

export const addFault = (apex: string, body: FaultInput) =>
  request<SandboxFault>(`${zonePath(apex)}/faults`, { method: 'POST', body })

export const removeFault = (apex: string, id: string) =>
  request<void>(`${zonePath(apex)}/faults/${id}`, { method: 'DELETE' })
