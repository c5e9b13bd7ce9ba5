import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { type Door, knockAtDoor, openDoor } from './front-door.ts'

/** The short form of `npm run abuse`; the seed that is printed asks the same things again. */
const seed = randomInt(2 ** 32)
/** Of each; a connection of HTTP/2 costs a handshake. What the database has no say in is asked of one engine. */
const COUNTS = {
  sqlite: {
    'odd requests': 200,
    'broken requests': 200,
    'bytes at the port of TLS': 100,
    'odd requests over HTTP/2': 200,
    'broken frames of HTTP/2': 60,
    'dashboard calls': 150,
  },
  postgres: { 'interface calls': 150, 'dashboard calls': 200 },
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`nothing that can be asked is answered with a 500, on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    let door: Door
    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
      door = await openDoor(await server?.createSchema())
    })
    after(async () => {
      await door?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    })

    for (const [name, count] of Object.entries(COUNTS[engine])) {
      test(name, async (t) => {
        t.diagnostic(`seed ${seed}`)
        const part = door.parts.find((one) => one.name === name)
        assert.ok(part)
        const { statuses, troubles } = await knockAtDoor(door, part, seed, count)
        assert.deepEqual(troubles, [], `seed ${seed}`)
        assert.ok(statuses.size > 0, 'nothing was answered')
      })
    }

    test('none of it was a bug of ours', async () => {
      assert.deepEqual(door.logged, [])
      const metrics = await fetch(`http://127.0.0.1:${door.house.shop.config.adminPort}/metrics`)
      assert.doesNotMatch(await metrics.text(), /^petstore_failures_total\{code="internal_error"\} [1-9]/m)
    })
  })
}
