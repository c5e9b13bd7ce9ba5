import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCampaign } from './campaign.ts'

test('through refusals, stalls, restarts and a kill each event is taken, none invented, and in order', async () => {
  const { events } = await runCampaign({ events: 300, kills: 1 })
  assert.equal(events, 300)
})
