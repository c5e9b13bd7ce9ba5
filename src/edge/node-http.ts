/**
 * Node's HTTP as `require` gives it. An import of `node:http` looks at everything that is exported there, and so loads
 * the whole of undici for the sake of `WebSocket`.
 */
export const { createServer, IncomingMessage, ServerResponse } = process.getBuiltinModule('node:http')
