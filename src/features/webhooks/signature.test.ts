import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook, WebhookVerificationError } from '../../../client/src/webhooks/webhooks.ts'
import { systemClock } from '../../platform/clock.ts'
import { bodyOf, headersOf } from './message-body.ts'
import { mintSecret } from './signature.ts'

const message = {
  id: 'msg_1',
  type: 'pet.created',
  created_at: Date.UTC(2026, 10, 15),
  environment: 'production',
  data: '{"id":9223372036854775807,"name":"R\u00e4x \ud83d\udc36"}',
}
const body = bodyOf(message)

test('the library of the specification’s authors accepts our signatures, and during a rotation either of both', () => {
  const secrets = [mintSecret(), mintSecret()]
  const headers = headersOf(message, body, secrets, systemClock.now())
  for (const secret of secrets) {
    assert.equal((new Webhook(secret).verify(body, headers) as { type: string }).type, 'pet.created')
  }
  assert.throws(() => new Webhook(mintSecret()).verify(body, headers), /No matching signature/)
  assert.throws(() => new Webhook(secrets[0] as string).verify(body.replace('R', 'T'), headers))
})

test('our client accepts what that library signs, and loses no digit', async () => {
  const secret = mintSecret()
  const now = systemClock.now()
  const signature = new Webhook(secret).sign('msg_1', new Date(now), body)
  const headers = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': signature,
  }
  const given = [headers, new Headers(headers)]
  for (const one of given) {
    const event = await verifyWebhook(secret, one, new TextEncoder().encode(body))
    assert.equal((event.data as { id: unknown }).id, 9223372036854775807n)
  }
})

test('what is too old, from the future, unsigned or altered is refused', async () => {
  const secret = mintSecret()
  const now = systemClock.now()
  const headers: Record<string, string> = headersOf(message, body, [secret], now)
  const verify = (changes: Record<string, string | undefined>, text = body, at = now) =>
    verifyWebhook(secret, { ...headers, ...changes }, text, { now: () => at })
  await verify({})
  await assert.rejects(verify({}, body, now + 301_000), /too old/)
  await assert.rejects(verify({}, body, now - 302_000), /clock is wrong/)
  await assert.rejects(verify({ 'webhook-timestamp': 'soon' }), /too old/)
  await assert.rejects(verify({ 'webhook-signature': undefined }), /lacks/)
  await assert.rejects(verify({ 'webhook-id': 'msg_2' }), /does not fit/)
  await assert.rejects(verify({ 'webhook-signature': 'v1,%%% v2,abc v1a,abc' }), /does not fit/)
  await assert.rejects(verify({}, `${body} `), /does not fit/)
  await assert.rejects(verifyWebhook(secret, headers, Uint8Array.of(0xff)), WebhookVerificationError)
})
