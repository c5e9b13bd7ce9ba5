/** What a connection says in its first message, before any certificate is chosen. */
export interface ClientHello {
  /** The SNI as it was sent: any case, any bytes. Undefined when there is none. */
  serverName: string | undefined
  /** ALPN, in the client's order. */
  protocols: string[]
}

/** More than any real client sends; post-quantum key shares make some 1,800 bytes. */
export const HELLO_BYTES_MAX = 16 * 1024

/**
 * Reads a ClientHello (RFC 8446, 4.1.2) from the first bytes of a connection. OpenSSL reads it again afterwards;
 * this one decides which certificate, so that a name is known, checked and bound to the connection even when the
 * session is a resumed one, for which Node calls no SNI callback and on TLS 1.2 has forgotten the name.
 */
export function readClientHello(bytes: Buffer): ClientHello | 'incomplete' | 'malformed' {
  const message = handshakeMessage(bytes)
  if (typeof message === 'string') return message
  try {
    return readMessage(new Reader(message))
  } catch (error) {
    if (error instanceof RangeError) return 'malformed'
    throw error
  }
}

/** Joins the records that the first handshake message is spread over. */
function handshakeMessage(bytes: Buffer): Buffer | 'incomplete' | 'malformed' {
  let message: Buffer | undefined
  for (let at = 0; ;) {
    if (bytes.length > at && bytes[at] !== HANDSHAKE_RECORD) return 'malformed'
    if (bytes.length < at + RECORD_HEADER_BYTES) return tooLong(bytes) ?? 'incomplete'
    const length = bytes.readUInt16BE(at + 3)
    if (bytes[at + 1] !== TLS_MAJOR || length === 0 || length > HELLO_BYTES_MAX) return 'malformed'
    const start = at + RECORD_HEADER_BYTES
    const fragment = bytes.subarray(start, start + length)
    message = message === undefined ? fragment : Buffer.concat([message, fragment])
    if (message.length > 0 && message[0] !== CLIENT_HELLO) return 'malformed'
    if (message.length >= MESSAGE_HEADER_BYTES) {
      const end = MESSAGE_HEADER_BYTES + message.readUIntBE(1, 3)
      if (end > HELLO_BYTES_MAX) return 'malformed'
      if (message.length >= end) return message.subarray(MESSAGE_HEADER_BYTES, end)
    }
    if (bytes.length < start + length) return tooLong(bytes) ?? 'incomplete'
    at = start + length
  }
}

/** Tiny records would let a message of legal length take any number of bytes. */
const tooLong = (bytes: Buffer) => (bytes.length > HELLO_BYTES_MAX ? 'malformed' : undefined)

function readMessage(reader: Reader): ClientHello {
  const hello: ClientHello = { serverName: undefined, protocols: [] }
  reader.skip(VERSION_AND_RANDOM_BYTES)
  reader.vector(1)
  reader.vector(2)
  reader.vector(1)
  if (reader.isAtEnd) return hello

  const extensions = reader.vector(2)
  while (!extensions.isAtEnd) {
    const type = extensions.number(2)
    const body = extensions.vector(2)
    if (type === SERVER_NAME && hello.serverName === undefined) hello.serverName = readServerName(body)
    if (type === ALPN) hello.protocols = readProtocols(body)
  }
  return hello
}

function readServerName(body: Reader): string | undefined {
  const names = body.vector(2)
  while (!names.isAtEnd) {
    const type = names.number(1)
    const name = names.vector(2)
    if (type === HOST_NAME) return name.text()
  }
  return undefined
}

function readProtocols(body: Reader): string[] {
  const list = body.vector(2)
  const protocols: string[] = []
  while (!list.isAtEnd) protocols.push(list.vector(1).text())
  return protocols
}

/** Walks over bytes; a step beyond the end is a RangeError. */
class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  skip(count: number): void {
    if (this.#at + count > this.#bytes.length) throw new RangeError('The message ends early.')
    this.#at += count
  }

  number(width: number): number {
    const start = this.#at
    this.skip(width)
    return this.#bytes.readUIntBE(start, width)
  }

  /** A field that is preceded by its length. */
  vector(lengthWidth: number): Reader {
    const length = this.number(lengthWidth)
    const start = this.#at
    this.skip(length)
    return new Reader(this.#bytes.subarray(start, start + length))
  }

  text(): string {
    return this.#bytes.toString('latin1')
  }
}

const HANDSHAKE_RECORD = 22
const CLIENT_HELLO = 1
const TLS_MAJOR = 3
const RECORD_HEADER_BYTES = 5
const MESSAGE_HEADER_BYTES = 4
const VERSION_AND_RANDOM_BYTES = 34
const SERVER_NAME = 0
const HOST_NAME = 0
const ALPN = 16
