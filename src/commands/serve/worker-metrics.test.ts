import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createMetrics, type MetricValues } from '../../platform/metrics.ts'
import { WorkerMetrics } from './worker-metrics.ts'
import { WorkerThread } from './worker-thread.ts'

/** A thread that serves nothing, and tells these figures. */
const SCRIPT = `
  const { parentPort, workerData } = require('node:worker_threads')
  parentPort.on('message', ({ id }) => parentPort.postMessage({ kind: 'answer', id, value: workerData }))
  parentPort.postMessage({ kind: 'serving', greeting: '' })`

async function thread(value: MetricValues) {
  const worker = new Worker(SCRIPT, { eval: true, workerData: value })
  const started = new WorkerThread(1, worker)
  await started.started
  return { thread: started, end: () => worker.terminate() }
}

async function figures(answers: number): Promise<MetricValues> {
  const metrics = createMetrics()
  metrics.counter('petstore_dns_answers', 'Datagrams.', () => answers)
  metrics.gauge('petstore_kept_answers_bytes', 'Memory.', () => 100)
  const wanted = new Set(['petstore_dns_answers', 'petstore_kept_answers_bytes'])
  return (await metrics.values()).filter(({ name }) => wanted.has(name))
}

test('what dead workers have counted is kept, what they held is not, however many ask at once', async () => {
  const workers = await Promise.all([2, 30, 400].map(async (answers) => thread(await figures(answers))))
  const serving = () => workers.map((each) => each.thread).filter(({ isServing }) => isServing)
  const metrics = new WorkerMetrics({
    get serving() {
      return serving()
    },
    replaced: 0,
  })
  const scrape = async () => {
    const { body } = await metrics.text()
    return [...body.matchAll(/^petstore_(?:dns|kept)_\w+ (\d+)$/gm)].map(([, value]) => Number(value))
  }
  assert.deepEqual(await scrape(), [432, 300])
  for (const worker of workers.slice(1)) {
    await worker.end()
    for (const told of await Promise.all([scrape(), scrape()])) assert.deepEqual(told, [432, serving().length * 100])
  }
  await workers[0]?.end()
})
