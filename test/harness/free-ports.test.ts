import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePorts } from './free-ports.ts'

test('a port is handed out once, however many ask at the same time', async () => {
  const ports = (await Promise.all(Array.from({ length: 100 }, () => freePorts(4)))).flat()
  assert.equal(new Set(ports).size, 400)
})
