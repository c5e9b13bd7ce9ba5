import { isIP, type Socket } from 'node:net'
import { plainAddress } from '../platform/network.ts'

interface ProxyHeader {
  /** Of the whole header, in bytes. */
  length: number
  /** The client; undefined where the proxy speaks for itself (health checks) or of something else than TCP. */
  source: string | undefined
}

/**
 * Reads the header of the PROXY protocol (haproxy.org/download/3.2/doc/proxy-protocol.txt), version 1 or 2, that a
 * balancer sends before anything of its client's. `absent` as soon as the bytes cannot be the beginning of one.
 */
export function readProxyHeader(bytes: Buffer): ProxyHeader | 'incomplete' | 'absent' | 'malformed' {
  if (startsAlike(bytes, SIGNATURE_V2)) return bytes.length < HEADER_V2_BYTES ? 'incomplete' : readV2(bytes)
  if (startsAlike(bytes, SIGNATURE_V1)) return readV1(bytes)
  return 'absent'
}

/**
 * Takes the header off a new connection and calls back with the client that it names. A connection that brings no
 * header goes on as it came; one whose header is broken or does not arrive in time ends.
 */
export function receiveProxyHeader(
  socket: Socket,
  timeoutMs: number,
  receive: (source: string | undefined) => void,
): void {
  let received: Buffer | undefined
  const end = () => socket.destroy()
  const late = setTimeout(end, timeoutMs)
  const read = (chunk: Buffer) => {
    received = received === undefined ? chunk : Buffer.concat([received, chunk])
    const header = readProxyHeader(received)
    if (header === 'incomplete') return
    leave()
    if (header === 'malformed') return end()
    socket.pause()
    const rest = header === 'absent' ? received : received.subarray(header.length)
    if (rest.length > 0) socket.unshift(rest)
    receive(header === 'absent' ? undefined : header.source)
    socket.resume()
  }
  const leave = () => {
    clearTimeout(late)
    socket.off('data', read).off('end', end).off('close', leave)
  }
  socket.on('data', read).on('end', end).on('close', leave)
}

function readV1(bytes: Buffer): ProxyHeader | 'incomplete' | 'malformed' {
  const end = bytes.subarray(0, HEADER_V1_BYTES_MAX).indexOf('\r\n')
  if (end === -1) return bytes.length < HEADER_V1_BYTES_MAX ? 'incomplete' : 'malformed'
  const length = end + 2
  const [, family = '', source = '', target = '', ...ports] = bytes.toString('latin1', 0, end).split(' ')
  if (family === 'UNKNOWN') return { length, source: undefined }
  const version = { TCP4: 4, TCP6: 6 }[family]
  const arePorts = ports.length === 2 && ports.every((port) => /^\d{1,5}$/.test(port))
  if (version === undefined || isIP(source) !== version || isIP(target) !== version || !arePorts) return 'malformed'
  return { length, source: plainAddress(source) }
}

function readV2(bytes: Buffer): ProxyHeader | 'incomplete' | 'malformed' {
  const versionAndCommand = bytes[12]
  const family = bytes[13]
  const length = HEADER_V2_BYTES + bytes.readUInt16BE(14)
  if ((versionAndCommand !== LOCAL && versionAndCommand !== PROXY) || length > HEADER_V2_BYTES_MAX) return 'malformed'
  if (bytes.length < length) return 'incomplete'
  if (versionAndCommand === LOCAL || (family !== TCP4 && family !== TCP6)) return { length, source: undefined }
  const addresses = bytes.subarray(HEADER_V2_BYTES, length)
  if (addresses.length < (family === TCP4 ? 12 : 36)) return 'malformed'
  return { length, source: family === TCP4 ? addresses.subarray(0, 4).join('.') : ipv6(addresses.subarray(0, 16)) }
}

function ipv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16))
  const isMapped = bytes.subarray(0, 12).equals(IPV4_MAPPED)
  return isMapped ? bytes.subarray(12).join('.') : groups.join(':')
}

function startsAlike(bytes: Buffer, signature: Buffer): boolean {
  const length = Math.min(bytes.length, signature.length)
  return bytes.subarray(0, length).equals(signature.subarray(0, length))
}

const SIGNATURE_V1 = Buffer.from('PROXY ')
/** The longest line that the specification allows. */
const HEADER_V1_BYTES_MAX = 107
const SIGNATURE_V2 = Buffer.from('\r\n\r\n\0\r\nQUIT\n')
const HEADER_V2_BYTES = 16
/** Balancers add some hundred bytes beside the addresses; the length field would allow 64 KiB. */
const HEADER_V2_BYTES_MAX = 4096
const LOCAL = 0x20
const PROXY = 0x21
const TCP4 = 0x11
const TCP6 = 0x21
const IPV4_MAPPED = Buffer.from('00000000000000000000ffff', 'hex')
