import { threadId } from 'node:worker_threads'
import { answerRequests } from '../../src/platform/thread/answer.ts'

export type TrialRequest = 'who' | 'throw' | 'die' | 'hang' | 'wait'

/** A thread that does what it is told, to see what becomes of its caller. */
answerRequests<TrialRequest, number>(async (request) => {
  if (request === 'throw') throw new Error('it was told to')
  if (request === 'die') process.exit(1)
  if (request === 'wait') return new Promise(() => {})
  while (request === 'hang');
  return threadId
})
