import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { dearRuns, fuzz } from './fuzz.ts'
import { type Parser, parsers } from './parsers.ts'

/** The short form of `npm run abuse`; the seed that is printed gives the same inputs again. */
const seed = randomInt(2 ** 32)
const COUNTS: Record<string, number> = { bodies: 1000, archives: 200 }
/** Of the long runs one in so many is given. */
const RUNS_ONE_IN: Record<string, number> = { headers: 1, 'pages of other hosts': 1, archives: 64 }
const spoolDirectory = mkdtempSync(join(tmpdir(), 'petstore-abuse-'))
after(() => rmSync(spoolDirectory, { recursive: true }))

for (const parser of parsers(spoolDirectory)) {
  test(`no ${parser.name} make the service throw anything but a refusal`, async (t) => {
    t.diagnostic(`seed ${seed}`)
    const count = COUNTS[parser.name] ?? 2000
    const { troubles, taken, refused } = await fuzz(parser, seed, count)
    assert.deepEqual(troubles, [], `seed ${seed}`)
    assert.equal(taken + refused, count)
    await takesValidOnes(parser)
  })

  test(`no long run of one thing in ${parser.name} costs more than its length explains`, async () => {
    const oneIn = RUNS_ONE_IN[parser.name] ?? 8
    assert.deepEqual(await dearRuns(parser, { oneIn, from: seed % oneIn }), [], `seed ${seed}`)
  })
}

test('what was refused left nothing in the spool', () => {
  assert.deepEqual(readdirSync(spoolDirectory), [])
})

/** What is made of others would be refused at the gate. Whether any that was spoiled is taken is up to chance. */
async function takesValidOnes(parser: Parser): Promise<void> {
  for (const valid of parser.seeds) {
    await assert.doesNotReject(async () => parser.take(valid), `${valid.subarray(0, 60).toString('latin1')} is refused`)
  }
}
