/**
 * Node's HTTP as `require` gives it. An import of `node:http` looks at everything that is exported there, and so loads
 * the whole of undici for the sake of `WebSocket`, at every start; `test/boundaries.test.ts` finds one.
 */
export const {
  Agent,
  createServer,
  IncomingMessage,
  request,
  ServerResponse,
  STATUS_CODES,
  validateHeaderName,
  validateHeaderValue,
} = process.getBuiltinModule('node:http')
