import { orderOperations } from '../../features/orders/orders.ts'
import { petOperations } from '../../features/pets/pets.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Cursors } from '../../platform/http/lists/cursor.ts'
import type { Operation } from '../../platform/http/operation.ts'
import type { ObjectSchema } from '../../platform/schema.ts'
import type { RowRoom } from '../../platform/storage/rows/row-room.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import type { DashboardRoute, ProjectCall, Reply } from '../route.ts'
import { BELOW, tenantOfPath } from './store/tenant.ts'

export interface StoreNeeds {
  clock: Clock
  cursors: Cursors
  storage: AuditedStorage
  rooms: Record<'pets' | 'orders', RowRoom>
}

/**
 * Animals and orders of either environment: the operations of `/v1` themselves, with their validation, paging
 * and rules, for somebody who is signed in instead of for a key. What they write is audited.
 */
export function storeRoutes({ clock, cursors, storage, rooms }: StoreNeeds): DashboardRoute[] {
  // Building them costs a few closures, so that every request can have them on its caller's storage.
  const operationsOn = (own: AuditedStorage): Operation[] => [
    ...petOperations({ storage: own, clock, cursors, rooms }),
    ...orderOperations({ storage: own, clock, cursors, rooms }),
  ]

  return operationsOn(storage).map(({ contract }, index) => ({
    id: contract.id,
    method: contract.method,
    path: BELOW + contract.path,
    summary: contract.summary,
    description: contract.description,
    answers: [contract.success.status],
    errors: contract.errors,
    answer: contract.success.schema,
    takes: {
      body: contract.body?.schema as ObjectSchema | undefined,
      query: contract.query,
      parameters: contract.parameters,
      conditional: contract.conditional,
    },
    role: contract.scope === 'read' ? 'viewer' : 'editor',
    handle: (call, body) => perform(operationsOn(call.storage)[index] as Operation, call as ProjectCall, body),
  }))
}

async function perform({ handle }: Operation, call: ProjectCall, body: unknown): Promise<Reply> {
  const caller = tenantOfPath(call)
  const answer = await handle({
    caller,
    url: call.url,
    baseUrl: `${call.baseUrl}/projects/${call.project.slug}/environments/${caller.environment}`,
    parameters: call.parameters,
    // Idempotency keys belong to API keys; a person sees what has happened.
    headers: { 'if-match': call.request.headers['if-match'] },
    body,
  })
  const headers: Record<string, string> = answer.etag === undefined ? {} : { ETag: answer.etag }
  for (let at = 0; at < (answer.headers?.length ?? 0); at += 2) {
    headers[answer.headers?.[at] as string] = answer.headers?.[at + 1] as string
  }
  return { status: answer.status, json: answer.body, headers }
}
