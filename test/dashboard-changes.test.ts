import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Routes } from '../client/src/platform/platform.ts'

const SOURCES = join(import.meta.dirname, '../dashboard/src')
const sources = new Map(
  globSync('**/*.{ts,tsx}', { cwd: SOURCES })
    .map((path) => path.replaceAll('\\', '/'))
    .map((path) => [path, readFileSync(join(SOURCES, path), 'utf8')] as const),
)

/** What is neither taken back nor asked about, and why nobody misses it. */
const NEITHER: Record<string, readonly string[]> = {
  'looks, and changes nothing that people have made': [
    'askResolvers',
    'checkServed',
    'compareSites',
    'consentQuery',
    'inspectLink',
    'markRead',
    'troubleshoot',
    'verifyDomain',
  ],
  'who is signed in, which the next click changes back': [
    'beginPasskeySignIn',
    'signIn',
    'signInByPasskey',
    'signOut',
    'signUp',
    'takeSecondStep',
  ],
  'a form or a link of its own, with a password, a preview or a mail': [
    'acceptInvitation',
    'answerRequest',
    'beginConnect',
    'changeAddress',
    'changePassword',
    'confirmAddress',
    'finishConnect',
    'forgotPassword',
    'resetPassword',
    'sendRows',
  ],
  'sends once more what was sent before': ['askForConfirmation', 'resendMessage'],
}

/** The functions of `api/` that ask the service to change something. */
function changes(): string[] {
  return [...sources]
    .filter(([path]) => path.startsWith('api/'))
    .flatMap(([, text]) => text.split(/^export /m))
    .filter((part) => /['`](?:POST|PUT|PATCH|DELETE) /.test(part))
    .flatMap((part) => /^(?:const|function) (\w+)/.exec(part)?.[1] ?? [])
}

test('a secret is shown by the dialog that got it, before it asks for anything else', () => {
  const showing = [...sources].filter(([, text]) => /\bshowOnce\(/.test(text)).map(([path]) => path)
  // One-time codes are confirmed by a form of their own, in the place of the dialog's.
  assert.deepEqual(showing.sort(), ['features/accounts/add-codes.tsx', 'parts/form-modal.tsx', 'parts/shown-once.tsx'])
  for (const path of showing) assert.doesNotMatch(sources.get(path)!, /\bawait\b/, path)
})

test('every change of the dashboard offers Undo or asks first, unless it is listed why not', () => {
  const known = new Set(changes())
  assert.ok(known.size > 60, [...known].join())
  const listed = new Set(Object.values(NEITHER).flat())
  const bare: string[] = []
  const seen = new Set<string>()
  for (const [path, text] of sources) {
    const imported = [...text.matchAll(/^import \{([^}]+)\} from '[^']*\/api\/[\w-]+\.ts'/gm)]
      .flatMap(([, names = '']) => names.split(','))
      .map((name) => name.trim())
      .filter((name) => known.has(name))
    imported.forEach((name) => seen.add(name))
    if (/\bsayWithUndo\(|<(?:Confirm|FormDialog)\b/.test(text)) continue
    bare.push(...imported.filter((name) => !listed.has(name)).map((name) => `${name} in ${path}`))
  }
  assert.deepEqual(bare, [])
  assert.deepEqual(
    [...listed].filter((name) => !seen.has(name)),
    [],
    'listed, and used by nobody',
  )
})

test('an answer that was lost is told as such where sending it again would do it twice', async (t) => {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/tokens')) response.writeHead(502).end('Bad gateway')
    else if (request.url?.endsWith('/webhooks')) response.writeHead(503, UNCONFIRMED.headers).end(UNCONFIRMED.body)
    else request.socket.destroy()
  })
  await at(server, t)
  const { isInDoubt, messageOf, platform, platformOf } = await import('../dashboard/src/api/platform.ts')

  const failure = (name: keyof Routes) => platform.call(name, GIVEN as never).catch((error: unknown) => error)
  for (const name of ['POST /projects/{project}/keys', 'POST /projects/{project}/tokens'] as const) {
    const error = await failure(name)
    assert.equal(isInDoubt(error), true, name)
    assert.match(messageOf(error), /may be done all the same: look before you send it again/)
  }
  // Published it would be found unchanged, and a preview would be kept twice.
  const deploy = platformOf('account').call('POST /projects/{project}/deploys', { ...GIVEN, body: { files: [] } })
  assert.equal(isInDoubt(await deploy.catch((error: unknown) => error)), true, 'of work in the background, too')
  const unconfirmed = await failure('POST /projects/{project}/webhooks')
  assert.deepEqual([isInDoubt(unconfirmed), messageOf(unconfirmed)], [true, 'Nobody knows: it may be done.'])
  for (const name of ['GET /projects', 'DELETE /projects/{project}/keys/{key}', 'POST /sign-in'] as const) {
    const error = await failure(name)
    assert.equal(isInDoubt(error), false, name)
    assert.match(messageOf(error), /could not be reached/)
  }
})

/** By a name that the compiler does not follow: a page has types that a program of Node does not. */
const DEPLOY_FILES: string = '../dashboard/src/features/deploys/deploy-files.ts'

test('a deploy whose room another one took says so, and what to do', async (t) => {
  const lists: string[] = []
  const server = createServer((request, response) => {
    lists.push(request.url as string)
    response.setHeader('Content-Type', 'application/json')
    request.resume().on('end', () => response.end(JSON.stringify({ state: 'incomplete', url: '', missing: [] })))
  })
  await at(server, t)
  const { deployFiles } = (await import(DEPLOY_FILES)) as {
    deployFiles(run: object, files: object[]): Promise<unknown>
  }
  const run = { account: 'a', slug: 'kennel', wish: { publish: 'yes' }, progress: () => {} } as const
  const files = [{ path: 'index.html', file: new File(['Hello'], 'index.html') }]
  await assert.rejects(
    deployFiles({ ...run, signal: new AbortController().signal }, files),
    /Another deploy of this project began meanwhile.*Drop the folder again once that one is done/,
  )
  assert.equal(lists.length, 2)
})

/** A page has an address, to which its paths are relative. */
async function at(server: Server, t: TestContext): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { fetch } = globalThis
  t.after(() => Object.assign(globalThis, { fetch }))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  globalThis.fetch = (path, request) => fetch(new URL(path as string, origin), request)
}

const GIVEN = { project: 'kennel', key: 'key_1', body: {} }
const UNCONFIRMED = {
  headers: { 'Content-Type': 'application/json', 'Petstore-Outcome': 'unknown' },
  body: JSON.stringify({ code: 'unavailable', message: 'Nobody knows: it may be done.', status: 503 }),
}
