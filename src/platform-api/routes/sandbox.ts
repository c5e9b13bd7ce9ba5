import {
  addFault,
  addRecord,
  addZone,
  listSandbox,
  removeFault,
  removeRecord,
  removeZone,
} from '../../features/sandbox/sandbox.ts'
import type { Clock } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { integer, object, optional, text } from '../../platform/schema.ts'
import type { ChangeFeed } from '../../platform/storage/change-feed.ts'
import { created, done, ok, parameter, type PublicCall, route } from '../route.ts'

export interface SandboxRouteNeeds {
  clock: Clock
  changes: ChangeFeed
  installation: { sandbox: boolean }
}

const nameText = (rule: string) => text({ minLength: 1, maxLength: 253, rule })

export const NewZone = object({ apex: nameText('must be a name such as my-shop.test') })

export const NewRecord = object({
  name: nameText('must be a name such as www, or @ for the zone itself'),
  type: nameText('must be a record type such as CNAME'),
  value: text({ minLength: 1, maxLength: 2048, rule: 'must be the value of the record' }),
  ttl: optional(integer({ minimum: 0, maximum: 604_800, rule: 'must be seconds from 0 to 604800' })),
  onlyOn: optional(nameText('must be a nameserver of the sandbox')),
})

export const NewFault = object({
  kind: nameText('must be a kind of fault such as servfail'),
  name: optional(nameText('must be a name such as www, or @ for the zone itself')),
  type: optional(nameText('must be a record type such as CNAME')),
  onlyOn: optional(nameText('must be a nameserver of the sandbox')),
})

/** The registrar of the rehearsal. It belongs to the installation, and so to everybody who may sign in to it. */
export function sandboxRoutes(needs: SandboxRouteNeeds) {
  const sandboxOf = ({ storage }: PublicCall) => {
    if (!needs.installation.sandbox) throw notFound('The sandbox is off here: domains are checked in the real DNS.')
    return { storage, clock: needs.clock, changes: needs.changes }
  }
  return [
    route({
      id: 'listSandbox',
      summary: 'List the zones of the sandbox',
      method: 'GET',
      path: '/sandbox/zones',
      role: 'session',
      errors: ['not_found'],
      handle: async (call) => ok(await listSandbox(sandboxOf(call))),
    }),
    route({
      id: 'addSandboxZone',
      summary: 'Add a zone to the sandbox',
      method: 'POST',
      path: '/sandbox/zones',
      role: 'session',
      errors: ['not_found'],
      body: NewZone,
      refusal: 'The zone was not added',
      async handle(call, body) {
        await addZone(sandboxOf(call), body)
        return done()
      },
    }),
    route({
      id: 'removeSandboxZone',
      summary: 'Remove a zone from the sandbox',
      method: 'DELETE',
      path: '/sandbox/zones/{apex}',
      role: 'session',
      async handle(call) {
        await removeZone(sandboxOf(call), parameter(call, 'apex'))
        return done()
      },
    }),
    route({
      id: 'addSandboxRecord',
      summary: 'Add a record to a zone of the sandbox',
      answers: [201],
      method: 'POST',
      path: '/sandbox/zones/{apex}/records',
      role: 'session',
      body: NewRecord,
      refusal: 'The record was not added',
      async handle(call, body) {
        return created(await addRecord(sandboxOf(call), { apex: parameter(call, 'apex'), ...body }))
      },
    }),
    route({
      id: 'removeSandboxRecord',
      summary: 'Remove a record from the sandbox',
      method: 'DELETE',
      path: '/sandbox/zones/{apex}/records/{record}',
      role: 'session',
      async handle(call) {
        await removeRecord(sandboxOf(call), { apex: parameter(call, 'apex'), id: parameter(call, 'record') })
        return done()
      },
    }),
    route({
      id: 'addSandboxFault',
      summary: 'Let a zone of the sandbox misbehave',
      answers: [201],
      method: 'POST',
      path: '/sandbox/zones/{apex}/faults',
      role: 'session',
      body: NewFault,
      refusal: 'The fault was not added',
      async handle(call, body) {
        return created(await addFault(sandboxOf(call), { apex: parameter(call, 'apex'), ...body }))
      },
    }),
    route({
      id: 'removeSandboxFault',
      summary: 'End a fault of the sandbox',
      method: 'DELETE',
      path: '/sandbox/zones/{apex}/faults/{fault}',
      role: 'session',
      async handle(call) {
        await removeFault(sandboxOf(call), { apex: parameter(call, 'apex'), id: parameter(call, 'fault') })
        return done()
      },
    }),
  ]
}
