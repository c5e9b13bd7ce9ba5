import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestIds } from './request-id.ts'

test('ids are never given twice, within a process and across processes', () => {
  const [one, other] = [requestIds(), requestIds()]
  const ids = Array.from({ length: 1000 }, () => [one(undefined), other(undefined)]).flat()
  assert.equal(new Set(ids).size, 2000)
  for (const id of ids) assert.match(id, /^req_[0-9a-z]+$/)
})

test('a caller’s own id is kept unless it could forge a log line', () => {
  const next = requestIds()
  for (const own of ['a', '0f8fad5b-d9cd-469f-a165-70867728950e', 'A.b:c_d-1']) assert.equal(next(own), own)
  for (const bad of ['', 'a b', 'a\nb', '"', 'é', 'x'.repeat(129), ['a', 'b']]) assert.match(next(bad), /^req_/)
})
