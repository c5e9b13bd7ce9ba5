import { flushCompileCache } from 'node:module'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { readConfig } from '../../config.ts'
import { type Petstore, startPetstore } from '../../main.ts'
import { systemClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import { sentenceFor } from '../line/failure.ts'
import { greetingOf, showDashboard } from './alone.ts'
import type { Answers, Order, Report, WorkerData } from './messages.ts'

/** The whole service as one thread of several; see `Workers`, which starts it. */
const main = parentPort as MessagePort
const report = (message: Report) => main.postMessage(message)
const { number, shared } = workerData as WorkerData

try {
  const config = readConfig()
  const log = createLog(config.logLevel, number)
  const petstore = await startPetstore(config, systemClock, log, shared)
  main.on('message', (order: Order) => {
    obey(petstore, order).catch((error: unknown) => log.error({ err: error }, 'an order could not be carried out'))
  })
  const greeting = await greetingOf(petstore, config)
  // The other workers start after the first one, and need not compile what it has; a service that is killed has no end.
  flushCompileCache()
  report({ kind: 'serving', greeting })
} catch (error) {
  report({ kind: 'failed', sentence: sentenceFor(error) })
}

async function obey(petstore: Petstore, order: Order): Promise<void> {
  switch (order.kind) {
    case 'lead':
      return petstore.lead()
    case 'dashboard':
      return showDashboard(petstore, order.outcome)
    case 'ask':
      return answer(petstore, order.about).then(
        (value) => report({ kind: 'answer', id: order.id, value }),
        (error: Error) => report({ kind: 'refusal', id: order.id, reason: error.message }),
      )
    case 'stop':
      await petstore[Symbol.asyncDispose]()
      // Nothing is left that could keep the thread.
      main.close()
  }
}

async function answer(petstore: Petstore, about: keyof Answers): Promise<Answers[keyof Answers]> {
  if (about === 'ready') return void (await petstore.ready())
  if (about === 'stopAccepting') return void (await petstore.stopAccepting())
  // A thread sees the figures of the whole process, which the main thread tells once.
  return (await petstore.metrics.values()).filter(({ name }) => !name.startsWith('process_'))
}
