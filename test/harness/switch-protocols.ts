import type { ServerResponse } from 'node:http'

/** An answer that nobody asked for, after which the connection stays open and nothing more comes. */
export function switchProtocols({ socket }: ServerResponse): void {
  socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
}
