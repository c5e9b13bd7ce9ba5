import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadReply, ThreadRequest } from './thread.ts'

/** For the module of a thread: what it was given, and how it answers. */
export const threadData = <Data>() => (workerData as { data: Data }).data

export function answerRequests<Request, Reply>(handle: (request: Request) => Promise<Reply>): void {
  const port = parentPort!
  port.on('message', ({ id, request }: ThreadRequest<Request>) => {
    const answer = (reply: ThreadReply<Reply>) => port.postMessage(reply)
    handle(request).then(
      (reply) => answer({ id, ok: true, reply }),
      (error: Error) => answer({ id, ok: false, message: error.stack ?? String(error) }),
    )
  })
}
