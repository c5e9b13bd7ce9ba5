import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import { test } from 'node:test'
import { freePorts } from '../../test/harness/free-ports.ts'
import { ConnectionGate } from './connection-gate.ts'
import { listen } from './http-listener.ts'
import { bindingTrouble, openAll, reachedAt } from './ports.ts'

const CROWD = 48

/** Connects, asks, and ends when the kernel has all of it, before anybody is let in. */
const CROWD_OF_CLIENTS = `
  const { connect } = require('node:net')
  let left = ${CROWD}
  for (let n = 0; n < ${CROWD}; n++) {
    const socket = connect(process.argv[1], '127.0.0.1', () => {
      socket.write('GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n', () => --left || process.exit())
    })
  }
`

test('a crowd that comes while nobody has time is let in several in a turn', async () => {
  let served = 0
  await using listener = await listen('127.0.0.1', 0, {
    gate: new ConnectionGate(),
    handle: (_request, response) => {
      served++
      response.end()
    },
  })
  execFileSync(process.execPath, ['-e', CROWD_OF_CLIENTS, String(listener.port)])
  let turns = 0
  for (; served < CROWD && turns < 1000; turns++) await turn()
  assert.equal(served, CROWD)
  // One in a turn elsewhere; by chance one of the eight sockets may be given a few more than the others.
  assert.ok(turns < (process.platform === 'linux' ? CROWD / 2 : CROWD * 2), `${turns} turns`)
})

test('every socket of a port ends with it, and so do those who are connected', async () => {
  const listener = await listen('127.0.0.1', 0, {
    gate: new ConnectionGate(),
    handle: (_request, response) => response.end(),
  })
  const clients = await Promise.all(Array.from({ length: CROWD }, () => asked(listener.port)))
  await listener[Symbol.asyncDispose]()
  assert.deepEqual(
    await Promise.all(clients.map(({ ended }) => ended)),
    clients.map(() => 'ended'),
  )
  const refused = await Promise.all(Array.from({ length: CROWD }, () => asked(listener.port).catch(codeOf)))
  assert.deepEqual(
    refused,
    refused.map(() => 'ECONNREFUSED'),
  )
})

test('a visitor who comes while a port is looked at is not let in', async () => {
  const [port] = await freePorts(1)
  const visits: Promise<unknown>[] = []
  let isFree: boolean | undefined
  void bindingTrouble('127.0.0.1', port!).then((trouble) => (isFree = trouble === undefined))
  while (isFree === undefined) {
    visits.push(asked(port!).catch(codeOf))
    await turn()
  }
  assert.equal(isFree, true)
  assert.deepEqual(new Set(await Promise.all(visits)), new Set(['ECONNREFUSED']))
})

test('a port that anybody has at one address is not free at all of them', async () => {
  await using other = await listen('127.0.0.1', 0, { gate: new ConnectionGate(), handle: () => {} })
  const [free] = await freePorts(1)
  // Other systems let one have all addresses and another one of them.
  for (const address of process.platform === 'linux' ? ['127.0.0.1', '0.0.0.0', '::'] : ['127.0.0.1']) {
    assert.equal(await bindingTrouble(address, other.port), 'EADDRINUSE', address)
    assert.equal(await bindingTrouble(address, free!), undefined, address)
  }
})

test('a port that cannot be opened is refused with the setting that it comes from', async () => {
  const wanted = {
    baseUrl: new URL('https://api.example.com/v1'),
    stagingUrl: new URL('http://staging.example.com:8080/v1'),
    listenOn: ['127.0.0.1', '203.0.113.7'],
    httpPort: 80,
    httpsPort: 443,
  }
  const refusedWith = (port: number, code: string) =>
    openAll([port], wanted, async () => Promise.reject(Object.assign(new Error(), { code })))
  for (const [port, setting] of [
    [80, 'PETSTORE_HTTP_PORT'],
    [443, 'PETSTORE_HTTPS_PORT'],
    [8080, 'PETSTORE_STAGING_URL'],
  ] as const) {
    const inUse = new RegExp(`Port ${port} is in use by another process\\. .* choose another port with ${setting}\\.`)
    await assert.rejects(refusedWith(port, 'EADDRINUSE'), inUse)
    const notAllowed = new RegExp(
      `Port ${port} may not be opened by this user\\. Choose one above 1023 with ${setting},`,
    )
    for (const code of ['EACCES', 'EPERM']) await assert.rejects(refusedWith(port, code), notAllowed)
  }
  const [port] = await freePorts(1)
  const listens = (address: string) => listen(address, port!, { gate: new ConnectionGate(), handle: () => {} })
  await assert.rejects(openAll([port!], wanted, listens), {
    message: `Port ${port} cannot be opened at 203.0.113.7, which is no address of this machine: see PETSTORE_LISTEN.`,
  })
})

test('who listens at all addresses is reached over IPv4, also where there is no ::1', async () => {
  assert.deepEqual(['::', '0.0.0.0', '::1', '192.0.2.1'].map(reachedAt), ['127.0.0.1', '127.0.0.1', '::1', '192.0.2.1'])
  await using listener = await listen('::', 0, { gate: new ConnectionGate(), handle: (_, response) => response.end() })
  assert.equal((await fetch(`http://${reachedAt('::')}:${listener.port}`)).status, 200)
})

test('a system that knows no IPv6 serves all addresses of IPv4', async () => {
  const opened: string[] = []
  const withoutIpv6 = async (address: string) => {
    if (address.includes(':')) throw Object.assign(new Error(), { code: 'EAFNOSUPPORT' })
    opened.push(address)
    return { async [Symbol.asyncDispose]() {} }
  }
  const urls = { baseUrl: new URL('http://a.example/v1'), stagingUrl: new URL('http://b.example/v1') }
  const open = (...listenOn: string[]) =>
    openAll([80], { ...urls, listenOn, httpPort: undefined, httpsPort: 443 }, withoutIpv6)
  await open('::')
  await open('127.0.0.1', '::1')
  assert.deepEqual(opened, ['0.0.0.0', '127.0.0.1'])
  await assert.rejects(open('::1'), /Port 80 cannot be opened at ::1, which is no address of this machine: see PETSTO/)
})

/** A client that has been answered and waits. */
function asked(port: number): Promise<{ ended: Promise<string> }> {
  return new Promise((resolve, reject) => {
    const ended = Promise.withResolvers<string>()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', (error) => {
      reject(error)
      ended.resolve(String(codeOf(error)))
    })
    socket.on('close', () => ended.resolve('ended'))
    socket.once('data', () => resolve({ ended: ended.promise }))
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  })
}

const codeOf = (error: NodeJS.ErrnoException) => error.code

const turn = () => new Promise((resolve) => setImmediate(resolve))
