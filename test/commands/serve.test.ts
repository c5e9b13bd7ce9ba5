import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { once } from 'node:events'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { SAME_REQUEST_MS } from '../../cli/src/line/stop-signals.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { addressesOn, ownPorts } from '../harness/free-ports.ts'
import { layOutSchema } from '../harness/schema.ts'
import { startServiceProcess } from '../harness/service-process.ts'
import { until } from '../harness/until.ts'
import { runCommand, startCommand, temporaryDirectory, untilPrinted } from './command.ts'

const ROOT = dirname(dirname(import.meta.dirname))

test('the first start prints both keys and a curl line that works, the second how to mint and no secret', async () => {
  await using service = await startServiceProcess({ environment: { PETSTORE_SANDBX: 'off' } })
  const first = service.stdout
  assert.match(service.stderr, /"PETSTORE_SANDBX is no setting, and changes nothing\. Did you mean PETSTORE_SANDBOX\?"/)
  assert.match(first, new RegExp(`production +http://localhost:${service.productionPort}/v1`))
  assert.match(first, new RegExp(`staging +http://localhost:${service.stagingPort}/v1`))
  assert.match(first, new RegExp(`admin +http://127.0.0.1:${service.adminPort}`))
  assert.equal(first.match(/ps_test_\w{38}/g)?.length, 1)
  assert.match(first, /This link works once:\n\n {2}http:\/\/localhost:\d+\/\S+\n/)

  const lines = first.match(/^ *curl .*$/gm) ?? []
  assert.equal(lines.length, 2)
  assert.deepEqual(pasted(lines[0] ?? ''), [])
  assert.deepEqual(pasted(lines[1] ?? ''), { id: 1, name: 'Rex', categoryId: 1, status: 'available' })

  assert.equal((await service.stop()).code, 0)
  await service.restart()
  assert.match(service.stdout, /npx petstore keys create --project petstore --environment production/)
  assert.doesNotMatch(service.stdout + service.stderr, /ps_(?:live|test)_/)
  assert.doesNotMatch(service.stdout, /works once/)
})

/** What the line prints when a shell runs it. */
function pasted(line: string): unknown {
  const found = (process.env.PATH ?? '').split(delimiter).some((directory) => existsSync(join(directory, 'curl')))
  if (!found) throw new Error('This test pastes a curl line: install curl first (apt-get install curl).')
  return JSON.parse(execFileSync('sh', ['-c', line.replace('curl ', 'curl -sS ')], { encoding: 'utf8' }))
}

const AGAIN = {
  'a second later than npm takes to pass on the first': async (pid: number) => {
    await wait(SAME_REQUEST_MS + 1)
    process.kill(pid, 'SIGTERM')
  },
  'a third': (pid: number) =>
    until('it has ended', () => {
      try {
        return !process.kill(pid, 'SIGTERM')
      } catch {
        return true
      }
    }),
}
for (const [which, again] of Object.entries(AGAIN))
  test(`the first signal lets the request in flight finish, ${which} ends the process at once`, async () => {
    await using service = await startServiceProcess()
    const socket = connect(service.productionPort, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(
      `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.keys.production}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 29\r\n\r\n{"name":',
    )
    // A request on another connection shows that the first one has been read.
    await service.call('/pets')

    const exit = service.stop()
    while ((await service.admin('/readyz').catch(() => undefined))?.status !== 503) await wait(10)
    await again(service.pid)
    assert.equal((await exit).code, 143)
  })

test('a port in use ends the start with 1 and a sentence that names it', async () => {
  using data = temporaryDirectory()
  // As a service of ours does, so that another of the same user could share its port.
  const reusePort = process.platform === 'linux'
  await using blocker = createServer().listen({ port: 0, host: '127.0.0.1', reusePort })
  await once(blocker, 'listening')
  const { port } = blocker.address() as { port: number }
  const settings = await settingsFor(data.path)
  for (const taken of [{ PETSTORE_BASE_URL: `http://localhost:${port}/v1` }, { PETSTORE_ADMIN_PORT: String(port) }]) {
    const { code, stdout, stderr } = await runCommand(['serve'], { environment: { ...settings, ...taken } })
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(stderr, new RegExp(`^Port ${port} is in use by another process\\.`))
    assert.doesNotMatch(stderr, /^\s+at /m)
  }
})

test('another Node outside hands over to the pinned one, with exit codes and signals', async (t) => {
  const node = otherNode()
  if (!node) return t.skip('there is no other Node on the PATH')
  using data = temporaryDirectory()
  const environment = await settingsFor(data.path)
  const version = await runCommand(['--version'], { node })
  assert.deepEqual({ code: version.code, stdout: version.stdout }, { code: 0, stdout: `${packageJson.version}\n` })
  assert.equal((await runCommand(['fly'], { node })).code, 2)

  const serve = startCommand(['serve'], { node, environment })
  await untilPrinted(serve, /is running/)
  const readyz = `http://127.0.0.1:${environment.PETSTORE_ADMIN_PORT}/readyz`
  assert.equal((await fetch(readyz)).status, 200)
  serve.child.kill('SIGTERM')
  assert.deepEqual(await serve.ended.then(({ code, signal }) => ({ code, signal })), { code: 0, signal: null })
  await assert.rejects(fetch(readyz))
})

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  for (const receiver of ['npm', 'the whole group'] as const)
    test(`${signal} to ${receiver} stops npm start: a request in flight is answered, exit 0`, async (t) => {
      using data = temporaryDirectory()
      const environment = await settingsFor(data.path)
      const { PATH = '', HOME = '' } = process.env
      const npm = spawn('npm', ['start'], {
        cwd: ROOT,
        env: { PATH, HOME, ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
        detached: true,
      })
      const group = -(npm.pid as number)
      t.after(() => npm.exitCode ?? process.kill(group, 'SIGKILL'))
      const ended = once(npm, 'exit')
      let printed = ''
      for await (const chunk of npm.stdout.iterator({ destroyOnReturn: false })) {
        printed += String(chunk)
        if (/ps_test_\w{38}/.test(printed)) break
      }
      npm.stdout.resume()

      const socket = connect(Number(new URL(environment.PETSTORE_BASE_URL).port), '127.0.0.1')
      const answer = socket.setEncoding('utf8').toArray()
      const key = /ps_live_\w{38}/.exec(printed)?.[0]
      const body = '{"name":"Rex","categoryId":1}'
      socket.write(
        `POST /v1/pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      )
      await once(socket, 'readable')

      process.kill(receiver === 'npm' ? (npm.pid as number) : group, signal)
      const readyz = `http://127.0.0.1:${environment.PETSTORE_ADMIN_PORT}/readyz`
      while ((await fetch(readyz)).status !== 503) await wait(10)
      socket.write(body)
      assert.match((await answer).join(''), /HTTP\/1\.1 201 /)
      assert.deepEqual(await ended, [0, null])
    })

function otherNode(): string | undefined {
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(directory, 'node')
    if (!existsSync(path) || realpathSync(path) === realpathSync(process.execPath)) continue
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim()
    if (version !== process.version) return path
  }
  return undefined
}

async function settingsFor(dataDirectory: string) {
  layOutSchema(dataDirectory)
  return { PETSTORE_DATA: dataDirectory, ...addressesOn(await ownPorts()), PETSTORE_LISTEN: '127.0.0.1' }
}
