import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startAdmin } from './admin.ts'

const config = {
  adminPort: 0,
  httpsPort: 4443,
  httpPort: 8080,
  baseUrl: new URL('http://localhost:4000/v1'),
  stagingUrl: new URL('https://staging.petstore.test/v1'),
  listenOn: ['127.0.0.1'],
}

test('figures that cannot be read are told, and end nothing', async () => {
  let openFiles = 'too many'
  const text = async () => {
    if (openFiles === 'too many') throw new Error('too many open files')
    return { contentType: 'text/plain', body: 'petstore_answer 42\n' }
  }
  await using admin = await startAdmin({ config, metrics: { text }, ready: async () => {} })
  const scrape = async () => {
    const response = await fetch(`http://127.0.0.1:${admin.port}/metrics`)
    return [response.status, await response.text()]
  }
  assert.deepEqual(await scrape(), [500, 'The figures could not be read, ask again later: too many open files\n'])
  openFiles = 'few'
  assert.deepEqual(await scrape(), [200, 'petstore_answer 42\n'])
})
