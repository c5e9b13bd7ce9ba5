import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loopbackAddresses } from './name-service.ts'

test('a local service has addresses for apex domains also where it listens at all of them, as the image does', () => {
  const ofListening = (...listenOn: string[]) => loopbackAddresses({ listenOn })
  assert.deepEqual(ofListening('::'), { v4: ['127.0.0.1'], v6: [] })
  assert.deepEqual(ofListening('0.0.0.0', '::'), { v4: ['127.0.0.1'], v6: [] })
  assert.deepEqual(ofListening('127.0.0.1', '::1'), { v4: ['127.0.0.1'], v6: ['::1'] })
})
