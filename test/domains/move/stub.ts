import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode, RECURSION_DESIRED } from 'dns-packet'
import type { ServerAddress } from '../../../src/platform/dns/address.ts'

/** What a machine has: it asks one resolver, and remembers nothing. */
export interface Stub extends AsyncDisposable {
  addressOf(hostname: string, type: 'A' | 'AAAA'): Promise<string | undefined>
}

export async function openStub({ address, port }: ServerAddress): Promise<Stub> {
  const waiting = new Map<number, (packet: Buffer) => void>()
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  socket.on('message', (packet) => waiting.get(packet.readUInt16BE(0))?.(packet))
  let last = 0
  return {
    async addressOf(hostname, type) {
      const id = (last = (last + 1) % 0x1_0000)
      const reply = new Promise<Buffer>((resolve) => waiting.set(id, resolve))
      socket.send(
        encode({ type: 'query', id, flags: RECURSION_DESIRED, questions: [{ name: hostname, type }] }),
        port,
        address,
      )
      const { answers = [], rcode } = decode(await reply) as ReturnType<typeof decode> & { rcode: string }
      waiting.delete(id)
      if (rcode !== 'NOERROR') throw new Error(`${hostname} cannot be found: ${rcode}`)
      return answers.find((answer): answer is typeof answer & { data: string } => answer.type === type)?.data
    },
    async [Symbol.asyncDispose]() {
      socket.close()
    },
  }
}
