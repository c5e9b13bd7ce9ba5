import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mintSecret, signatureOf } from '../../src/features/webhooks/signature.ts'
import { expect, type House } from '../platform-api/house.ts'

const README = new URL('../../client/README.md', import.meta.url)

/** Writes the README's blocks into somebody's project, with the addresses of this service in them. */
export function writeBlocks(project: string, { shop }: House): string[] {
  const blocks = [...readFileSync(README, 'utf8').matchAll(/^```ts\n([^]*?)^```$/gm)]
  return blocks.map(([, code = ''], at) => {
    const file = join(project, `block-${at}.ts`)
    writeFileSync(file, code.replaceAll('localhost:4000', `127.0.0.1:${shop.config.baseUrl.port}`))
    return file
  })
}

/** Runs the blocks one after the other as JavaScript, which every Node knows; they do what the README says. */
export async function runBlocks(node: string, project: string, files: readonly string[], house: House): Promise<void> {
  for (const [at, file] of files.entries()) {
    writeFileSync(join(project, `block-${at}.mjs`), stripTypeScriptTypes(readFileSync(file, 'utf8')))
  }
  const secret = mintSecret()
  writeFileSync(join(project, 'all.mjs'), runner(files.length, secret))
  const body = { name: 'README', scopes: ['domains:write'] }
  const token = expect(201, await house.operator.browser.post('/projects/petstore/tokens', body))
  const { stdout } = await promisify(execFile)(node, [join(project, 'all.mjs')], {
    env: {
      ...process.env,
      PETSTORE_KEY: house.shop.keys.production,
      PETSTORE_TOKEN: token.token,
      WEBHOOK_SECRET: secret,
    },
  })
  for (const printed of [/^\d+ Rex$/m, /operation: 'POST \/pets'/, /^Add the domain first\.$/m, /^Signed\n204 400$/m]) {
    assert.match(stdout, printed)
  }
}

/** Imports the blocks, and asks the one that receives webhooks with a signature that fits and one that does not. */
function runner(blocks: number, secret: string): string {
  const body = JSON.stringify({ type: 'pet.created', timestamp: new Date().toISOString(), data: { name: 'Signed' } })
  const [id, timestamp] = ['msg_1', Math.floor(Date.now() / 1000)]
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf([secret], { id, timestamp, body }),
  }
  return `
    const blocks = []
    for (let at = 0; at < ${blocks}; at++) blocks.push(await import('./block-' + at + '.mjs'))
    const { receive } = blocks.find((block) => block.receive)
    const [headers, body] = ${JSON.stringify([headers, body])}
    const post = (headers) => receive(new Request('http://localhost/', { method: 'POST', headers, body }))
    const taken = await post(headers)
    const refused = await post({ ...headers, 'webhook-id': 'msg_2' })
    console.log(taken.status, refused.status)
  `
}
