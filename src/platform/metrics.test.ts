import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'

test('what was counted before the first scrape is in it, and again in the next', async () => {
  const metrics = createMetrics()
  const labels = {
    http_request_method: 'GET',
    http_route: '/pets',
    http_response_status_code: '200',
    environment: 'production',
  }
  metrics.requestDurations.observe(metrics.requestDurations.series(labels), 0.002)
  metrics.countFailure('not_found')
  metrics.countFailure('not_found')
  metrics.gauge('petstore_answer', 'A number.', () => 42)
  metrics.counter('petstore_questions', 'Questions so far.', () => 7)
  for (let scrape = 0; scrape < 2; scrape++) {
    const { body, contentType } = await metrics.text()
    assert.match(contentType, /^text\/plain/)
    assert.match(body, /^petstore_failures_total\{code="not_found"\} 2$/m)
    const labels = [
      'le="0.0025"',
      'http_request_method="GET"',
      'http_route="/pets"',
      'http_response_status_code="200"',
      'environment="production"',
    ]
    assert.ok(body.split('\n').includes(`http_server_request_duration_seconds_bucket{${labels.join(',')}} 1`), body)
    assert.match(body, /^http_server_request_duration_seconds_count\{[^}]*\} 1$/m)
    assert.match(body, /^petstore_answer 42$/m)
    assert.match(body, /^# TYPE petstore_questions counter\npetstore_questions 7$/m)
    assert.match(body, /^petstore_failures_total\{code="unavailable"\} 0$/m, 'what has not failed yet can be watched')
    assert.match(body, /^process_resident_memory_bytes /m)
  }
})

test('more requests than 32 bits can count are counted', async () => {
  const { requestDurations, values } = createMetrics()
  const series = requestDurations.series({ http_route: '/pets' })
  series.counts[0] = 2 ** 32 - 1
  requestDurations.observe(series, 0)
  assert.equal(requestDurations.totals().requests, 2 ** 32)
  const told = (await values()).find(({ name }) => name === requestDurations.name)?.values.at(-1)
  assert.equal(told?.value, 2 ** 32)
})

test('what is added after somebody has asked, as while the service starts, is told too', async () => {
  const metrics = createMetrics()
  await metrics.text()
  metrics.gauge('petstore_late', 'Added late.', () => 7)
  for (const _ of [1, 2]) assert.match((await metrics.text()).body, /^petstore_late 7$/m)
})
