import { parentPort } from 'node:worker_threads'
import type { ThreadReply, ThreadRequest } from './thread.ts'

/** For the module of a thread: how it answers. */
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
