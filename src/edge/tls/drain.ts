import type { Server } from 'node:http'
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2'
import { Server as NetServer } from 'node:net'

/** Long enough for a request that was on its way when the idle connection would have been closed. */
const DRAIN_IDLE_MS = 300
const DRAIN_MAX_MS = 30_000

/** Stops accepting, tells HTTP/2 clients to go, lets requests finish, closes idle connections, and late ones too. */
export async function drainTls(
  server: Http2SecureServer,
  sessions: ReadonlySet<ServerHttp2Session>,
  closeAll: () => void,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  for (const session of sessions) session.close()
  // Present since Node serves HTTP/1 on such a server; its types lack it.
  const http1 = server as unknown as Pick<Server, 'closeIdleConnections'>
  const idle = setInterval(() => http1.closeIdleConnections(), DRAIN_IDLE_MS)
  const late = setTimeout(closeAll, DRAIN_MAX_MS)
  await closed
  clearInterval(idle)
  clearTimeout(late)
  // Ends the timer that checks connections; there are none left.
  server.close()
}
