import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Dashboard, openOwnersDashboard, OWNER, PASSWORD } from './dashboard.ts'
import { choose, chooseFromMenu, shows } from './steps.ts'

let dashboard: Dashboard
before(async () => {
  dashboard = await openOwnersDashboard()
})
after(() => dashboard?.[Symbol.asyncDispose]())

test('a key is created, shown once, used, rotated with an overlap and revoked', async () => {
  await using visit = await dashboard.visitAgain()
  const { page } = visit
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${dashboard.origin}/projects/petstore`)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Till')
  await dialog.getByLabel('write').click()
  await choose(page, dialog, 'Expires', 'In 30 days')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/keys'))
  await dialog.getByRole('button', { name: 'Create key' }).click()
  // An instance of the version before knows no days, and would make a key that never ends.
  const { expiresInDays, expiresAt } = (await sent).postDataJSON() as { expiresInDays: number; expiresAt: string }
  assert.equal(expiresInDays, 30)
  assert.ok(!Number.isNaN(Date.parse(expiresAt)))
  await page.getByText('This key is shown this once').waitFor()
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))`)
  await dialog.getByRole('button', { name: 'Copy: the key' }).click()
  await page.getByText('This browser does not let the page copy here').waitFor()
  await page.evaluate('delete navigator.clipboard.writeText')
  const key = await dialog.locator('.minted code').innerText()
  assert.match(key, /^ps_live_\w{38}$/)
  await dialog.getByRole('button', { name: 'Copy: the key' }).click()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), key)
  await shows(dialog, new RegExp(`curl.*Bearer ${key}`))
  await dialog.getByRole('tab', { name: 'TypeScript' }).click()
  await shows(dialog, new RegExp(`createPetstore.*key: '${key}'`))
  // Neither Escape nor a click outside nor Back loses the only sight of it, and leaving asks first.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await page.evaluate('history.back()')
  await page.waitForURL('**/projects/petstore')
  await shows(dialog, new RegExp(key))
  const asked = page.waitForEvent('dialog').then(async (question) => {
    await question.dismiss()
    return question.type()
  })
  await page.close({ runBeforeUnload: true })
  assert.equal(await asked, 'beforeunload')
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await page.goForward()
  assert.ok(!(await page.content()).includes(key), 'the key is not on the page any more')

  const call = (used: string, method = 'GET') =>
    dashboard.shop.call('/pets', {
      method,
      headers: { Authorization: `Bearer ${used}` },
      ...(method === 'POST' ? { body: { name: 'A', categoryId: 1 } } : {}),
    })
  assert.equal((await call(key)).status, 200)
  assert.equal((await call(key, 'POST')).status, 403)
  // The overview counts everything up to this moment; otherwise it takes up to five seconds.
  await dashboard.api('/projects/petstore/overview')
  await page.reload()
  const row = page.getByRole('row', { name: /^Till/ })
  await shows(row, /Till.*read.*(?:just now|seconds ago).*in \d+ days/)

  await chooseFromMenu(page, 'Actions for Till', 'Rotate…')
  await dialog.getByRole('button', { name: 'Rotate key' }).click()
  await page.getByText('This key is shown this once').waitFor()
  const successor = await dialog.locator('.minted code').innerText()
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  assert.deepEqual([(await call(key)).status, (await call(successor)).status], [200, 200])

  await shows(page.getByRole('row', { name: /Till.*being replaced/ }), /its successor is ps_live_/)
  await shows(page.getByRole('row', { name: /Till.*takes the place of ps_live_/ }), /just now|seconds ago/)
  await page.getByRole('button', { name: 'Actions for Till' }).first().click()
  await page.getByRole('menuitem', { name: 'Revoke…' }).click()
  await shows(dialog, /refused from its next request on/)
  await dialog.getByRole('button', { name: 'Revoke key' }).click()
  await page.getByText('“Till” is revoked').waitFor()
  assert.equal([await call(key), await call(successor)].filter(({ status }) => status === 401).length, 1)
  await page.getByRole('switch', { name: 'Show ended (1)' }).click()
  await shows(page.getByRole('table'), /Till.*revoked/)
  visit.assertQuiet()
})

/** Enter twice before anything is drawn, and once more when it is accepted and the dialog fades out. */
const SEND_THREE_TIMES = `new Promise((resolve) => {
  const form = document.querySelector('[role=dialog] form')
  form.requestSubmit()
  form.requestSubmit()
  const sendAgain = () => {
    if (!form.isConnected) return resolve()
    const isPending = !document.querySelector('.minted') || form.querySelector('[data-loading]')
    if (isPending) return requestAnimationFrame(sendAgain)
    form.requestSubmit()
    resolve()
  }
  sendAgain()
})`

test('a key is made once however often its form is sent, and no secret waits for the list or is lost', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/staging/keys')
  const { page } = visit
  const dialog = page.getByRole('dialog')
  const secret = page.locator('.minted code')
  const begin = async (name: string) => {
    await page.getByRole('button', { name: 'Create key' }).first().click()
    await dialog.getByLabel('Name').fill(name)
  }
  const late = Promise.withResolvers<void>()
  await page.route('**/projects/petstore/keys', async (route) => {
    if (!route.request().postData()?.includes('Quick')) await late.promise
    await route.continue()
  })
  await begin('Slow')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await begin('Quick')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const quick = await secret.innerText()
  const slow = page.waitForResponse((response) => response.request().method() === 'POST')
  late.resolve()
  await (await slow).finished()
  assert.equal(await secret.innerText(), quick)
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await secret.filter({ hasNotText: quick }).waitFor()
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await dialog.waitFor({ state: 'hidden' })

  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await begin('Twice')
  await page.evaluate(SEND_THREE_TIMES)
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  const keys: { name: string; environment: string }[] = await dashboard.api('/projects/petstore/keys')
  const made = keys.filter(({ environment }) => environment === 'staging').map(({ name }) => name)
  assert.deepEqual(made.sort(), ['First key', 'Quick', 'Slow', 'Twice'])
  visit.assertQuiet()
})

test('the keys that still call the deprecated operation are named, with its end and its replacement', async () => {
  const { id } = (await (
    await dashboard.shop.call('/pets', { method: 'POST', body: { name: 'Old', categoryId: 1 } })
  ).json()) as { id: number }
  await dashboard.shop.call(`/pets/${id}`)
  await using visit = await dashboard.visitAgain()
  await visit.page.goto(`${dashboard.origin}/projects/petstore`)
  await visit.page.getByRole('link', { name: 'See which keys' }).click()
  await shows(
    visit.page.locator('.notice', { hasText: 'deprecated operation' }),
    /GET \/pets\/\{petId\} will be removed on 5 December 2030.*GET \/pets with the status filter/,
    /First key ps_live_.*1 request in 30 days/,
  )
  visit.assertQuiet()
})

test('a token is created for a pipeline, shown once, used and revoked', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/settings/tokens')
  const { page } = visit
  await page.getByRole('button', { name: 'Create token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('GitHub Actions')
  await choose(page, dialog, 'Expires', 'In 30 days')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  await page.getByText('This token is shown this once').waitFor()
  const token = await dialog.locator('.minted code').innerText()
  assert.match(token, /^ps_pat_\w{38}$/)
  await shows(dialog, /tar -czf.*projects\/petstore\/deploys\/archive/)
  await dialog.getByRole('button', { name: 'I have stored it' }).click()

  const call = (path: string) =>
    fetch(`${dashboard.origin}/platform/v1/projects/petstore${path}`, { headers: { Authorization: `Bearer ${token}` } })
  assert.equal((await call('/deploys')).status, 200)
  assert.equal((await call('/keys')).status, 403)
  await page.reload()
  const row = page.getByRole('row', { name: /^GitHub Actions/ })
  await shows(row, /GitHub Actions.*by Ada.*deploys:write.*(?:just now|seconds ago).*in \d+ days/)
  await row.getByRole('button', { name: 'Revoke GitHub Actions' }).click()
  await dialog.getByRole('button', { name: 'Revoke token' }).click()
  await page.getByText('No token works').waitFor()
  assert.equal((await call('/deploys')).status, 401)
  await page.getByLabel('Show ended (1)').check({ force: true })
  await shows(row, /revoked/)
})

test('a key that is made when its maker has signed out is shown to nobody', async () => {
  await using visit = await dashboard.visit({ signedOut: true })
  const { page } = visit
  const dialog = page.getByRole('dialog')
  const signIn = async () => {
    await page.getByLabel('E-mail address').fill(OWNER.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await page.goto(`${dashboard.origin}/projects/petstore/production/keys?do=create`)
  await signIn()
  const made = Promise.withResolvers<void>()
  await page.route('**/keys', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch()
    await made.promise
    await route.fulfill({ response })
  })
  await dialog.getByLabel('Name').fill('Nobody saw it')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: OWNER.name }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
  const answered = page.waitForResponse((response) => response.url().endsWith('/keys'))
  made.resolve()
  await (await answered).finished()
  await signIn()
  await page.waitForURL('**/projects/petstore')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API keys' }).click()
  await page
    .getByRole('cell', { name: /Nobody saw it/ })
    .first()
    .waitFor()
  assert.equal(await dialog.count(), 0)
  visit.assertQuiet()
})
