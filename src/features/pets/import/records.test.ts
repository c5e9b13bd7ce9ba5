import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BadRow } from './bad-row.ts'
import { splitRecords, type TextRecord } from './records.ts'

async function* cut(text: string, sizes: number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function split(text: string, parts: number[], quoted: boolean, from = { bytes: 0, lines: 0 }) {
  const records: TextRecord[] = []
  for await (const some of splitRecords(cut(text, parts), from, quoted)) records.push(...some)
  return records
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
const line = fc.stringMatching(/^[a-zé, "]{0,12}$/)

test('rows are the same however the file arrives, and their ends are places to go on from', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 9 }), sizes, sizes, fc.boolean(), async (lines, one, two, quoted) => {
      const text = lines.join('\n')
      const records = await split(text, one, quoted)
      assert.deepEqual(records, await split(text, two, quoted))
      for (const [index, { end }] of records.entries()) {
        const rest = Buffer.from(text).subarray(end.bytes).toString()
        assert.deepEqual(await split(rest, two, quoted, end), records.slice(index + 1))
      }
    }),
    { numRuns: 150 },
  )
})

test('a line break between quotes belongs to the row, and later rows keep their line numbers', async () => {
  const records = await split('a,"1\n2 ""x\n"\nb,3\n', [4], true)
  const found = records.map(({ bytes, line: number }) => [bytes.toString(), number])
  assert.deepEqual(found, [
    ['a,"1\n2 ""x\n"', 1],
    ['b,3', 4],
  ])
})

test('a row that never ends is refused instead of filling the memory', async () => {
  const endless = async () => {
    for await (const _ of splitRecords(chunks(), { bytes: 0, lines: 0 }, true));
  }
  async function* chunks() {
    yield Buffer.from('name,categoryId\n"unclosed')
    for (;;) yield Buffer.alloc(256 * 1024, 'x')
  }
  await assert.rejects(endless, (error) => error instanceof BadRow && error.line === 2)
})
