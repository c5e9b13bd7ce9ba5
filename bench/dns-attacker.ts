import { request } from 'node:http'
import { startHostileDns } from '../test/harness/hostile-dns.ts'

/** What the attacker is told by the benchmark that started it. */
export type AttackerOrder =
  | { kind: 'attack'; origin: string; cookie: string; path: string; hostnames: string[] }
  | { kind: 'rest' }

/** A process of its own: the nameserver of `evil.test`, and whoever presses Verify without pause. */
const dns = await startHostileDns()
let isPressing = false
let pressed = 0

process.on('message', (order: AttackerOrder) => {
  isPressing = order.kind === 'attack'
  if (order.kind === 'attack') for (const hostname of order.hostnames) void press(order, hostname)
  else process.send!({ pressed })
})
process.send!({ port: dns.port })

async function press(order: Extract<AttackerOrder, { kind: 'attack' }>, hostname: string): Promise<void> {
  while (isPressing) {
    await verify(order, hostname).catch(() => {})
    pressed++
  }
}

function verify({ origin, cookie, path }: Extract<AttackerOrder, { kind: 'attack' }>, hostname: string): Promise<void> {
  const headers = { Cookie: cookie, Origin: origin, 'Content-Type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}${path}/${hostname}/verify`, { method: 'POST', headers }, (response) => {
      response.resume().on('end', resolve)
    })
    sent.on('error', reject)
    sent.end('{}')
  })
}
