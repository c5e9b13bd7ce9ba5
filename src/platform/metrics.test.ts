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
    assert.match(body, /^process_resident_memory_bytes /m)
  }
})
