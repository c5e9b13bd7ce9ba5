import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { mayBeSlow } from '../../platform/http/slow-body.ts'
import { HEADER_BYTES_MAX, HEADER_LINES_MAX } from '../http-limits.ts'

/**
 * What one HTTP/2 connection may ask of the server. nghttp2 and Node hold these by closing the connection, or the
 * stream: so the bounds on headers are far above our own (../http-limits.ts), which have an answer. 32 bytes are
 * counted for each field beside its text.
 */
export const H2_OPTIONS = {
  settings: { maxConcurrentStreams: 100, maxHeaderListSize: 4 * HEADER_BYTES_MAX, enablePush: false },
  maxSettings: 32,
  maxHeaderListPairs: 5 * HEADER_LINES_MAX,
  maxOutstandingPings: 10,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: 100,
  maxSessionMemory: 10,
  // What we send ourselves need not be looked at for headers that come twice.
  strictSingleValueFields: false,
  // Opening and resetting streams at full speed ends the connection (CVE-2023-44487).
  streamResetBurst: 200,
  streamResetRate: 33,
}

/**
 * How much of an answer Node is given at a time. It counts what it was given and has not sent as memory of the session,
 * and refuses new streams above `maxSessionMemory`: all streams together stay below, however large the answers are.
 */
export const H2_WRITE_BYTES = 64 * 1024

interface H2Timeouts {
  /** Until the first request, counted from the handshake. */
  headersTimeout: number
  /** Until a request with a body has arrived completely. */
  requestTimeout: number
  /** Without any open request. */
  keepAliveTimeout: number
}

/**
 * Node times out HTTP/1 connections only. PING and half-sent headers count as activity of an HTTP/2 connection, so
 * it is the absence of requests that ends one here. Returns what is to be told of every request.
 */
export function limitH2Session(session: ServerHttp2Session, timeouts: H2Timeouts): (stream: ServerHttp2Stream) => void {
  let openStreams = 0
  const close = () => {
    if (openStreams > 0) return
    session.close()
    // A peer that never closes its side would otherwise keep the socket.
    setTimeout(() => session.destroy(), timeouts.headersTimeout).unref()
  }
  const first = setTimeout(close, timeouts.headersTimeout)
  const quiet = setTimeout(close, timeouts.keepAliveTimeout)
  session.on('close', () => {
    clearTimeout(first)
    clearTimeout(quiet)
  })
  session.on('error', ignore)
  const closed = () => {
    if (--openStreams === 0 && !session.closed) quiet.refresh()
  }
  return (stream) => {
    if (openStreams++ === 0) clearTimeout(first)
    stream.on('error', ignore)
    stream.on('close', closed)
    if (!stream.endAfterHeaders) limitBody(stream, timeouts.requestTimeout)
  }
}

/** Whoever asked has gone, or broke a rule: Node has ended it, and nobody else is concerned. */
const ignore = () => {}

function limitBody(stream: ServerHttp2Stream, requestTimeoutMs: number): void {
  const late = setTimeout(() => {
    if (!mayBeSlow(stream)) stream.close(constants.NGHTTP2_CANCEL)
  }, requestTimeoutMs)
  stream.on('end', () => clearTimeout(late))
  stream.on('close', () => clearTimeout(late))
}
