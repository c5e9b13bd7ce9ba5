import assert from 'node:assert/strict'
import { cpSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../harness/until.ts'
import { startCommand, temporaryDirectory, untilPrinted } from '../commands/command.ts'
import { addressesOn, ownPorts } from '../harness/free-ports.ts'

const ROOT = join(import.meta.dirname, '../..')
const COPIED = ['bin', 'cli', 'client', 'reference', 'scripts', 'src', 'dashboard', 'package.json', 'package-lock.json']

test('an installation that cannot be written builds in its data; a failed build is told with what to do', async () => {
  using checkout = temporaryDirectory()
  for (const name of COPIED)
    cpSync(join(ROOT, name), join(checkout.path, name), { recursive: true, filter: (path) => !path.endsWith('/dist') })
  symlinkSync(join(ROOT, 'node_modules'), join(checkout.path, 'node_modules'))
  writeFileSync(join(checkout.path, 'dashboard/src/main.tsx'), "import './gone.tsx'\n")
  // Nobody, not even root, makes a folder where a file is: neither for a build, nor for what Vite writes before it.
  mkdirSync(join(checkout.path, 'dashboard/node_modules'), { recursive: true })
  for (const folder of ['dist', 'node_modules/.vite-temp'])
    writeFileSync(join(checkout.path, 'dashboard', folder), 'not a folder')
  const ports = await ownPorts()
  const origin = `http://localhost:${ports.production}`
  const serve = startCommand(['serve'], {
    script: join(checkout.path, 'bin/petstore.js'),
    environment: { PETSTORE_DATA: join(checkout.path, 'data'), ...addressesOn(ports) },
  })
  try {
    await untilPrinted(serve, /is running/)
    const open = async () => (await fetch(origin, { headers: { Accept: 'text/html' } })).text()
    let page = await open()
    while (page.includes('is being built')) {
      await wait(50)
      page = await open()
    }
    assert.match(page, /could not be built[^]*gone\.tsx[^]*npm ci/)
    assert.doesNotMatch(page, new RegExp(checkout.path))
    const isLogged = () => /"msg":"the dashboard could not be built/.test(serve.printed.stderr)
    await until('the log says so', isLogged)
    assert.equal((await fetch(`${origin}/v1/pets`)).status, 401)
    if (process.platform !== 'win32')
      assert.equal(statSync(join(checkout.path, 'data/dashboard')).mode & 0o777, 0o700, 'for the service alone')
  } finally {
    serve.child.kill('SIGTERM')
    await serve.ended
  }
})
