import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'

const petstoreCommand = new URL('../../bin/petstore.js', import.meta.url).pathname

describe('the commands that call the interface', () => {
  let shop: TestPetstore
  before(async () => {
    shop = await startTestPetstore()
  })
  after(() => shop[Symbol.asyncDispose]())

  async function run(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const env = {
      ...process.env,
      PETSTORE_KEY: shop.keys.production,
      PETSTORE_BASE_URL: shop.config.baseUrl.href.replace('localhost', '127.0.0.1'),
    }
    try {
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [petstoreCommand, ...words], { env })
      return { code: 0, stdout, stderr }
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
      return { code, stdout, stderr }
    }
  }

  test('add, list, change and order an animal, with every digit kept', async () => {
    const added = await run('pets', 'add', 'Rex', '--category', '9007199254740993', '--json')
    assert.equal(added.code, 0, added.stderr)
    assert.match(added.stdout, /"categoryId": ?9007199254740993\b/)
    const { id } = JSON.parse(added.stdout) as { id: number }

    const listed = await run('pets', 'list', '--status', 'available')
    assert.match(listed.stdout, /ID +NAME +CATEGORY +STATUS/)
    assert.match(listed.stdout, /Rex +9007199254740993 +available/)

    assert.match((await run('pets', 'update', String(id), '--name', 'Max')).stdout, /Max/)
    const order = JSON.parse((await run('orders', 'place', String(id), '--json')).stdout) as {
      id: number
      status: string
    }
    assert.equal(order.status, 'placed')
    assert.match((await run('orders', 'list', '--status', 'placed')).stdout, /placed/)
    const held = await run('pets', 'delete', String(id))
    assert.deepEqual([held.code, held.stderr.includes(`Order ${order.id} holds this animal`)], [1, true])
    assert.match((await run('orders', 'end', String(order.id), '--as', 'completed')).stdout, /completed/)

    const found = await run('pets', 'list', '--q', 'mA', '--category', '9007199254740993', '--order', 'name', '--json')
    assert.deepEqual(
      (JSON.parse(found.stdout) as { id: number }[]).map((pet) => pet.id),
      [id],
    )
    assert.match((await run('pets', 'delete', String(id))).stdout, /is deleted/)
    assert.match((await run('pets', 'list', '--order', 'newest')).stdout, /no such animals/)
  })

  test('a refusal goes to standard error with exit code 1, a wrong use with 2', async () => {
    const refused = await run('orders', 'place', '999999')
    assert.equal(refused.code, 1)
    assert.equal(refused.stdout, '')
    assert.match(refused.stderr, /no such animal/)
    assert.equal((await run('pets', 'update', '1')).code, 2)
    assert.equal((await run('pets', 'add', 'Rex')).code, 2)
    const unknown = await run('pets', 'list', '--key', 'ps_live_nonsense')
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /API key/)
  })
})
