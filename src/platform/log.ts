import { destination, pino, type Logger } from 'pino'

export type Log = Logger

/** Structured lines on standard error. Secrets have no place in them, and these names never print. */
export function createLog(level: string): Log {
  const redact = { paths: ['authorization', 'cookie', 'key', 'password', '*.authorization', '*.cookie'], remove: true }
  return pino({ level, redact, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination(2))
}
