import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '../../client/src/webhooks/webhooks.ts'
import { startTestPetstore } from '../harness/petstore.ts'
import { until } from '../harness/until.ts'
import { type Received, startReceiver } from '../harness/webhook-receiver.ts'
import { Browser } from '../platform-api/browser.ts'
import { expect, PASSWORD, tokenOf } from '../platform-api/house.ts'
import { runJson, startCommand, temporaryDirectory } from './command.ts'

test('webhooks are made and removed; listen forwards events, signed, and prints each answer', async () => {
  using home = temporaryDirectory()
  await using shop = await startTestPetstore()
  await using receiver = await startReceiver()
  const owner = new Browser(shop)
  const token = tokenOf(shop.petstore.ownerLink as string)
  expect(201, await owner.post('/sign-up', { token, email: 'olga@example.com', name: 'Olga', password: PASSWORD }))
  const scopes = ['webhooks:write']
  const { token: PETSTORE_TOKEN } = expect(201, await owner.post('/projects/petstore/tokens', { name: 'CI', scopes }))
  const options = { environment: { PETSTORE_TOKEN, XDG_CONFIG_HOME: home.path } }
  const at = ['--project', 'petstore', '--server', shop.config.baseUrl.origin]

  const made = await runJson<{ id: string; secret: string }>(['webhooks', 'create', receiver.url, ...at], options)
  assert.match(made.secret, /^whsec_/)
  const listed = await runJson<{ id: string }[]>(['webhooks', 'list', ...at], options)
  assert.deepEqual(
    listed.map(({ id }) => id),
    [made.id],
  )
  await runJson(['webhooks', 'remove', made.id, ...at], options)

  const listening = startCommand(['listen', ...at, '--forward', receiver.url, '--events', 'pet.created'], options)
  await until('it listens', () => /Verify with the secret (whsec_\S+)/.test(listening.printed.stderr))
  const [, secret = ''] = /secret (whsec_\S+)/.exec(listening.printed.stderr) ?? []
  receiver.answer = (_, response) => void response.writeHead(418).end()
  await shop.call('/pets', { method: 'POST', body: { name: 'Rex', categoryId: 1 } })
  await until('it is printed', () => /418 +pet\.created/.test(listening.printed.stdout))
  const { headers, body } = receiver.received[0] as Received
  const event = await verifyWebhook(secret, headers as Record<string, string>, body)
  assert.equal(event.type === 'pet.created' && event.data.name, 'Rex')
  listening.child.kill('SIGINT')
  assert.equal((await listening.ended).code, 0)
  assert.equal(receiver.received.length, 1)
  const left = await shop.petstore.storage.read.selectFrom('webhook_endpoints').select('id').execute()
  assert.deepEqual(left, [])
})
