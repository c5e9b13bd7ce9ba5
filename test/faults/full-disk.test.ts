import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { layOutSchema } from '../harness/schema.ts'
import { startServiceProcess } from '../harness/service-process.ts'
import { limitedDisk } from './limited-disk.ts'
import { assertUnavailable, createPet, untilStatus } from './storage-trouble.ts'
import {
  addAnimal,
  allAnimals,
  assertNothingLostOrInvented,
  type Attempt,
  exactJson,
  someAnimal,
  type Animal,
} from './writers.ts'

const BURST = 23

test('a full disk answers 503, keeps reads going, writes nothing by halves, and heals by itself', async (t) => {
  using disk = limitedDisk()
  layOutSchema(disk.directory)
  t.diagnostic(`disk: ${disk.kind}`)
  await using service = await startServiceProcess({ dataDirectory: disk.directory, wrapper: disk.wrapper })
  const attempts: Attempt[] = []

  await burst()
  assert.ok(attempts.every(({ id }) => id !== undefined))
  const ordered = (await allAnimals(service)).find(({ status }) => status === 'available') as Animal
  disk.fill(service)
  // Room within the files is used up first: the log is written from its beginning again after a checkpoint.
  for (let size = BURST, refusals = 0; refusals < 5;) {
    const refused = await burst(size)
    if (refused) size = 1
    refusals = refused ? refusals + 1 : 0
    assert.ok(attempts.length < 50_000, 'the disk never became full')
  }

  await untilStatus(503, () => service.admin('/readyz'))
  assert.match(await (await service.admin('/readyz')).text(), disk.saysFull)
  await assertUnavailable(await createPet(service, 'Refused'))
  await assertUnavailable(await createPet(service, 'Refused with a key', { 'Idempotency-Key': 'full-disk' }))
  const order = { method: 'POST', body: `{"petId":${ordered.id}}` }
  await assertUnavailable(await service.call('/store/orders', order))
  assertNothingLostOrInvented(attempts, await allAnimals(service))
  assert.equal((await service.call(`/pets/${ordered.id}`)).status, 200)
  assert.deepEqual(await (await service.call('/store/orders')).json(), [])

  disk.free(service)
  await untilStatus(200, () => service.admin('/readyz'))
  const pid = service.pid
  const healed = await untilStatus(201, () =>
    createPet(service, 'Refused with a key', { 'Idempotency-Key': 'full-disk' }),
  )
  assert.equal(healed.headers.get('Idempotency-Replayed'), null, 'the refused request left nothing behind')
  const { id, ...animal } = exactJson(await healed.text()) as Animal
  attempts.push({ animal, idempotencyKey: 'full-disk', id })
  assert.equal((await service.call('/store/orders', order)).status, 201, 'the animal was not held by half an order')
  await service.call('/store/orders/1', { method: 'PATCH', body: { status: 'cancelled' } })
  await burst()
  assert.equal(service.pid, pid)
  assertNothingLostOrInvented(attempts, await allAnimals(service))

  await service.stop()
  using database = new DatabaseSync(join(disk.directory, 'petstore.sqlite'))
  assert.deepEqual(database.prepare('pragma integrity_check').all(), [{ __proto__: null, integrity_check: 'ok' }])

  /** Concurrent, so that several animals share a statement and a commit. */
  async function burst(size = BURST): Promise<boolean> {
    const wave = Array.from({ length: size }, (): Attempt => ({ animal: someAnimal(), idempotencyKey: undefined }))
    attempts.push(...wave)
    await Promise.all(
      wave.map(async (attempt) => {
        const response = await addAnimal(service, attempt)
        if (response.status === 201) attempt.id = (exactJson(await response.text()) as Animal).id
        else {
          attempt.refused = true
          await assertUnavailable(response)
        }
      }),
    )
    return wave.some(({ refused }) => refused)
  }
})
