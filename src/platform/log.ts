import { destination, pino, type Logger } from 'pino'

export type Log = Logger

/**
 * Structured lines on standard error, with the number of the worker where there are several. Secrets have no place in
 * them, and these names never print.
 */
export function createLog(level: string, worker?: number): Log {
  const redact = { paths: ['authorization', 'cookie', 'key', 'password', '*.authorization', '*.cookie'], remove: true }
  return pino(
    { level, redact, base: worker === undefined ? null : { worker }, timestamp: pino.stdTimeFunctions.isoTime },
    destination(2),
  )
}
