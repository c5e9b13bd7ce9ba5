import type { Clock } from '../../platform/clock.ts'
import { changedMeanwhile, conflict, invalid, notFound } from '../../platform/errors.ts'
import type { Cursors } from '../../platform/http/lists/cursor.ts'
import { etagOf } from '../../platform/http/etag.ts'
import { idempotentUse, idOfAnswer, readIdempotencyKey, RunningKeys } from '../../platform/http/idempotency.ts'
import { type Answer, type Call, type Operation, written } from '../../platform/http/operation.ts'
import { pageAnswer, pageReader, requireBody } from '../../platform/http/lists/page.ts'
import { validator } from '../../platform/http/validator.ts'
import { type Int64, parseInt64 } from '../../platform/int64.ts'
import { whenThere } from '../../platform/maybe-promise.ts'
import { beginningOf, declared, listed } from '../../platform/schema.ts'
import type { RowRoom } from '../../platform/storage/rows/row-room.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import { tenantOf } from '../../platform/tenant.ts'
import {
  complete,
  createPetContract,
  deletePetContract,
  getPetContract,
  ListPetsQuery,
  listPetsContract,
  NewPet,
  PetPatch,
  updatePetContract,
} from './contract.ts'
import { findPets } from './list.ts'
import { findPet } from './queries.ts'
import { allowedFrom } from './status.ts'
import { pets } from './tables.ts'
import { type AddedPet, addPet, addPetOnce, deletePet, updatePet } from './writes.ts'

export interface PetsNeeds {
  storage: AuditedStorage
  clock: Clock
  rooms: { pets: Pick<RowRoom, 'take'> }
  cursors: Cursors
}

/** The operations on animals, ready to be served. */
export function petOperations(needs: PetsNeeds): Operation[] {
  return [listPets(needs), createPet(needs), getPet(needs), updatePetOperation(needs), deletePetOperation(needs)]
}

function listPets({ storage, cursors }: PetsNeeds): Operation {
  const readPage = pageReader(ListPetsQuery, cursors)
  return {
    contract: listPetsContract,
    reads: 'pets',
    handle(call) {
      const tenant = tenantOf(call.caller)
      const page = readPage(call.url, `pets ${tenant.projectId} ${tenant.environment}`)
      const found = findPets(storage.read, tenant, page)
      return whenThere(found, (json) => pageAnswer(`${call.baseUrl}/pets`, json, page, cursors))
    },
  }
}

function getPet({ storage }: PetsNeeds): Operation {
  return {
    contract: getPetContract,
    reads: 'pets',
    handle(call) {
      const id = readPetId(call)
      const { projectId, environment } = call.caller
      return whenThere(findPet(storage.read, { projectId, environment, id }), ([found]): Answer => {
        if (!found) throw noSuchPet(String(id))
        return { status: 200, body: found.json, etag: etagOf(found.json) }
      })
    },
  }
}

function createPet({ storage, clock, rooms }: PetsNeeds): Operation {
  const validate = validator(NewPet, 'The animal was not added')
  const running = new RunningKeys()

  return {
    contract: createPetContract,
    async handle(call) {
      const fields = complete(validate(requireBody(call.body)))
      const idempotencyKey = readIdempotencyKey(call.headers['idempotency-key'])
      const tenant = tenantOf(call.caller)
      const pet: AddedPet = { tenant, fields, now: clock.now() }
      const full = await rooms.pets.take(tenant.projectId)
      if (idempotencyKey === undefined) {
        if (full) throw full
        const id = await storage.write(addPet, pet)
        return created(call, id, pets.toJson(pets.toRow({ id, ...fields })))
      }
      const use = idempotentUse(idempotencyKey, 'createPet', fields, pet.now)
      const { answer, replayed } = await running.once(tenant, use, async () => {
        const outcome = await storage.write(addPetOnce, { pet, use, isFull: full !== undefined })
        if (outcome.kind === 'full') throw full
        return outcome
      })
      return created(call, idOfAnswer(answer), answer, replayed ? ['Idempotency-Replayed', 'true'] : [])
    },
  }
}

function updatePetOperation({ storage, clock }: PetsNeeds): Operation {
  const validate = validator(PetPatch, 'The animal was not changed')

  return {
    contract: updatePetContract,
    async handle(call) {
      const id = readPetId(call)
      const patch = declared(PetPatch, validate(requireBody(call.body)))
      if (Object.keys(patch).length === 0) {
        const names = listed(Object.keys(PetPatch.properties), 'and')
        throw invalid(`The animal was not changed: send at least one of ${names}.`)
      }
      const tenant = tenantOf(call.caller)
      const ifMatch = call.headers['if-match']
      const outcome = await storage.write(updatePet, { tenant, id, patch, ifMatch, now: clock.now() })
      switch (outcome.kind) {
        case 'missing':
          throw noSuchPet(String(id))
        case 'changed':
          throw changedMeanwhile('The animal')
        case 'forbidden':
          throw conflict(`A ${outcome.from} animal can only become ${allowedFrom(outcome.from).join(' or ')}.`)
        case 'held':
          throw conflict(`Order ${outcome.orderId} holds this animal: complete or cancel the order instead.`)
        case 'unchanged':
        case 'updated':
          return written(200, pets.toJson(outcome.pet))
      }
    },
  }
}

function deletePetOperation({ storage }: PetsNeeds): Operation {
  return {
    contract: deletePetContract,
    async handle(call) {
      const id = readPetId(call)
      const ifMatch = call.headers['if-match']
      const outcome = await storage.write(deletePet, { tenant: tenantOf(call.caller), id, ifMatch })
      if (outcome.kind === 'missing') throw noSuchPet(String(id))
      if (outcome.kind === 'changed') throw changedMeanwhile('The animal')
      if (outcome.kind === 'held') {
        throw conflict(`Order ${outcome.orderId} holds this animal: complete or cancel the order first.`)
      }
      return { status: 204, body: '' }
    },
  }
}

/** Leads to what outlives the deprecated fetch: see docs/decisions/0027-finding-animals.md. */
const created = (call: Call, id: Int64, json: string, headers: readonly string[] = []): Answer =>
  written(201, json, ['Location', `${call.baseUrl}/pets?id=${id}`, ...headers])

function readPetId(call: Call): Int64 {
  const text = call.parameters.petId ?? ''
  const id = parseInt64(text)
  if (id === undefined) throw noSuchPet(text)
  return id
}

const noSuchPet = (id: string) => notFound(`There is no animal ${beginningOf(id, 40)} here.`)
