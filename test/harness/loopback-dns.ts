/**
 * A thread that says of every name that it is here. Not the thread of a test: pebble waits two seconds for an answer,
 * and a test and the service in its process may have other things to do for as long.
 */
import { createSocket } from 'node:dgram'
import { parentPort } from 'node:worker_threads'
import dnsPacket from 'dns-packet'

const socket = createSocket('udp4')
socket.on('message', (message, from) => {
  const { id = 0, questions = [] } = dnsPacket.decode(message)
  const answers = questions
    .filter(({ type }) => type === 'A')
    .map(({ name }) => ({ type: 'A' as const, name, ttl: 1, data: '127.0.0.1' }))
  const flags = dnsPacket.AUTHORITATIVE_ANSWER | dnsPacket.RECURSION_DESIRED
  socket.send(dnsPacket.encode({ type: 'response', id, flags, questions, answers }), from.port, from.address)
})
socket.bind(0, '127.0.0.1', () => parentPort?.postMessage(socket.address().port))
