import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type House, expect, openHouse } from '../platform-api/house.ts'

const GUIDE = readFileSync(new URL('../../docs/ci.md', import.meta.url), 'utf8')
const COMMAND = fileURLToPath(new URL('../../bin/petstore.js', import.meta.url))

let house: House
let directory: string
before(async () => {
  house = await openHouse()
  directory = mkdtempSync(join(tmpdir(), 'petstore-ci-'))
  mkdirSync(join(directory, 'dist'))
  writeFileSync(join(directory, 'npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${COMMAND}" "$@"\n`)
  chmodSync(join(directory, 'npx'), 0o755)
})
after(async () => {
  await house?.[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true, force: true })
})

const fenced = (name: string) => {
  const [, code = ''] = new RegExp(`<!-- run: ${name} -->\n\n\`\`\`\\w+\n([^]*?)\n\`\`\``).exec(GUIDE) ?? []
  assert.notEqual(code, '', `the guide has no ${name}`)
  return code
}

/** What a runner does with the last step: its commands without their indentation. */
function lastRunOf(workflow: string): string {
  const lines = workflow.slice(workflow.lastIndexOf('run: |') + 'run: |\n'.length).split('\n')
  return lines.map((line) => line.replace(/^ {10}/, '')).join('\n')
}

async function run(script: string, environment: Record<string, string>) {
  const shell = spawn('bash', ['-e', '-c', script], {
    cwd: directory,
    env: { ...process.env, PATH: `${directory}${delimiter}${process.env.PATH}`, HOME: directory, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, 'close')])
  return { code: code as number, stdout, stderr }
}

for (const [name, script] of [
  ['shell', fenced('shell')],
  ['actions', lastRunOf(fenced('actions'))],
  ['command', fenced('command')],
] as const) {
  test(`the ${name} example of the guide deploys with a token that can do nothing else`, async () => {
    const { slug, owner } = await house.project()
    const scopes = ['deploys:write']
    const { token } = expect(201, await owner.browser.post(`/projects/${slug}/tokens`, { name: 'CI', scopes }))
    writeFileSync(join(directory, 'dist', 'index.html'), `<h1>${name}</h1>`)
    const environment = { PETSTORE_SERVER: owner.browser.origin, PETSTORE_TOKEN: token, PROJECT: slug }
    const { code, stdout, stderr } = await run(script, environment)
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /"state":"deployed"|^Deployed 1 file/)
    const [active] = expect(200, await owner.browser.get(`/projects/${slug}/deploys`))
    assert.deepEqual([active.active, active.source], [true, name === 'command' ? 'directory' : 'archive'])
    const refused = await run(script, { ...environment, PETSTORE_TOKEN: token.replace('ps_pat_', 'ps_pat') })
    assert.notEqual(refused.code, 0)
    assert.match(refused.stdout + refused.stderr, /not a Petstore token/)
  })
}
