import { createKey, listKeys, revokeKey, rotateKey } from '../../features/keys/keys.ts'
import { DAY_MS, HOUR_MS, type Clock } from '../../platform/clock.ts'
import { ENVIRONMENTS } from '../../platform/http/operation.ts'
import { array, instant, integer, object, oneOf, optional, shownText } from '../../platform/schema.ts'
import type { ChangeFeed } from '../../platform/storage/change-feed.ts'
import { storageOfMember, withMaker, withMakers } from '../member-keys.ts'
import { created, ok, parameter, route } from '../route.ts'

export const NewKeyBody = object({
  environment: oneOf(ENVIRONMENTS),
  name: optional(shownText(100)),
  scopes: optional(array(oneOf(['read', 'write']), { maxItems: 2, rule: 'must be a list of read, write or both' })),
  expiresAt: optional(instant()),
  expiresInDays: optional(integer({ minimum: 1, maximum: 3650, rule: 'must be 1 to 3650 days' })),
})

const KeysOf = object({
  environment: optional(oneOf(ENVIRONMENTS, { description: 'Only the keys of this environment.' })),
})

export const KeyRotation = object({
  overlapHours: optional(integer({ minimum: 0, maximum: 720, rule: 'must be 0 to 720 hours' })),
})

/** A key is shown once, in the answer that creates it; a change counts from the next request on, everywhere. */
export function keyRoutes({ clock, changes }: { clock: Clock; changes: Pick<ChangeFeed, 'catchUp'> }) {
  return [
    route({
      id: 'listKeys',
      summary: 'List the API keys',
      description:
        'Never the keys themselves, which are stored as hashes. Those that have ended are listed for 90 days, beyond ' +
        'the last 500 for an hour.',
      method: 'GET',
      path: '/projects/{project}/keys',
      role: 'viewer',
      query: KeysOf,
      async handle({ storage, project, query: { environment } }) {
        return ok(await withMakers(storage.read, await listKeys({ storage, clock }, project.projectId, environment)))
      },
    }),
    route({
      id: 'createKey',
      summary: 'Create an API key',
      description: 'The key is in this answer only.',
      answers: [201],
      method: 'POST',
      path: '/projects/{project}/keys',
      role: 'editor',
      body: NewKeyBody,
      refusal: 'The key was not created',
      async handle({ storage, who, project }, { expiresAt, expiresInDays, ...body }) {
        const input = { ...body, expiresAt: endOf(expiresAt, expiresInDays, clock), madeBy: who.id }
        const member = storageOfMember(storage, { projectId: project.projectId, accountId: who.id }, 'keys')
        const key = await createKey({ storage: member, clock }, project.projectId, input)
        return created(await withMaker(storage.read, key))
      },
    }),
    route({
      id: 'rotateKey',
      summary: 'Replace an API key',
      description: 'The old key goes on working for the overlap, so that nothing stops.',
      answers: [201],
      method: 'POST',
      path: '/projects/{project}/keys/{key}/rotate',
      role: 'editor',
      body: KeyRotation,
      refusal: 'The key was not rotated',
      async handle(call, { overlapHours }) {
        const overlapMs = overlapHours === undefined ? undefined : overlapHours * HOUR_MS
        const { storage, project } = call
        const how = { overlapMs, madeBy: call.who.id }
        const member = storageOfMember(storage, { projectId: project.projectId, accountId: call.who.id }, 'keys')
        const key = await rotateKey({ storage: member, clock }, project.projectId, parameter(call, 'key'), how)
        await changes.catchUp()
        return created(await withMaker(storage.read, key))
      },
    }),
    route({
      id: 'revokeKey',
      summary: 'Revoke an API key',
      description: 'The next request with it is refused.',
      method: 'DELETE',
      path: '/projects/{project}/keys/{key}',
      role: 'editor',
      async handle(call) {
        const { storage, project } = call
        const key = await revokeKey({ storage, clock }, project.projectId, parameter(call, 'key'))
        await changes.catchUp()
        return ok(await withMaker(storage.read, key))
      },
    }),
  ]
}

/** Days are counted from now by the service, and count alone: the clock of whoever asks may be wrong. */
function endOf(expiresAt: string | undefined, expiresInDays: number | undefined, clock: Clock): number | undefined {
  if (expiresInDays !== undefined) return clock.now() + expiresInDays * DAY_MS
  return expiresAt === undefined ? undefined : Date.parse(expiresAt)
}
