import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestPetstore } from '../harness/petstore.ts'
import { until } from '../harness/until.ts'
import { rowsOf, runCommand, runJson } from './command.ts'

interface Key {
  id: string
  key: string
  project: string
  environment: string
  scopes: string[]
  state: string
  createdAt: string
  expiresAt: string | null
}

test('a key lives its whole life by command while the service runs', async () => {
  await using service = await startTestPetstore()
  const environment = { PETSTORE_DATA: service.config.dataDirectory }
  const place = ['--project', 'petstore', '--environment', 'production']
  const statusWith = async (key: string, method = 'GET') => {
    const headers = { Authorization: `Bearer ${key}` }
    return (await service.call('/pets', { method, headers, ...(method === 'GET' ? {} : { body: {} }) })).status
  }

  const rights = ['--name', 'nightly', '--scopes', 'read', '--expires', '30d']
  const created = await runJson<Key>(['keys', 'create', ...place, ...rights], { environment })
  assert.match(created.id, /^key_\w{16}$/)
  assert.match(created.key, /^ps_live_\w{38}$/)
  assert.deepEqual(created.scopes, ['read'])
  assert.equal(await statusWith(created.key), 200)
  assert.equal(await statusWith(created.key, 'POST'), 403)

  const rotated = await runJson<Key>(['keys', 'rotate', created.id, '--overlap', '1h'], { environment })
  assert.notEqual(rotated.key, created.key)
  assert.deepEqual(rotated.scopes, ['read'])
  const lifeOf = ({ createdAt, expiresAt }: Key) => Date.parse(expiresAt as string) - Date.parse(createdAt)
  assert.equal(lifeOf(rotated), lifeOf(created))
  assert.equal(await statusWith(rotated.key), 200)
  assert.equal(await statusWith(created.key), 200)

  const revoked = await runJson<Key>(['keys', 'revoke', rotated.id], { environment })
  assert.equal(revoked.state, 'revoked')
  await until('the new key is refused', async () => (await statusWith(rotated.key)) === 401)
  const named = await runCommand(['keys', 'revoke', created.id, '--project', 'petstore'], { environment })
  assert.equal(named.code, 0)
  await until('the old key is refused', async () => (await statusWith(created.key)) === 401)

  const elsewhere = await runCommand(['keys', 'revoke', created.id, '--environment', 'staging'], { environment })
  assert.equal(elsewhere.code, 1)
  const dead = await runCommand(['keys', 'rotate', created.id], { environment })
  assert.equal(dead.code, 1)

  const listed = await runJson<Key[]>(['keys', 'list', ...place], { environment })
  assert.deepEqual(
    listed.map(({ id, state }) => ({ id, state })),
    [
      { id: listed[0]?.id, state: 'active' },
      { id: created.id, state: 'revoked' },
      { id: rotated.id, state: 'revoked' },
    ],
  )
  const table = await runCommand(['keys', 'list', '--project', 'petstore'], { environment })
  assert.match(table.stdout, new RegExp(`${created.id} +revoked +production`))
  assert.match(table.stdout, new RegExp(`${created.id} .* \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC `))
  assert.doesNotMatch(table.stdout, /ps_\w{12,}/)

  const trail = rowsOf<{ verb: string }>(
    service.config.dataDirectory,
    "select verb from audit_entries where actor_kind = 'command' order by id",
  )
  assert.deepEqual(
    trail.map(({ verb }) => verb),
    ['key.create', 'key.rotate', 'key.revoke', 'key.revoke'],
  )
})

test('projects are created, listed, moved to another plan, suspended and let go on by command', async () => {
  await using service = await startTestPetstore()
  const environment = { PETSTORE_DATA: service.config.dataDirectory }
  interface Project {
    slug: string
    name: string
    plan: string
    suspension: { reason: string; since: string } | null
  }

  const created = await runJson<Project>(['projects', 'create', 'kennel', '--name', 'The Kennel'], { environment })
  assert.deepEqual([created.slug, created.name, created.plan], ['kennel', 'The Kennel', 'free'])
  assert.equal((await runCommand(['projects', 'create', 'kennel'], { environment })).code, 1)
  const changed = await runJson<Project>(['projects', 'plan', 'kennel', 'pro'], { environment })
  assert.equal(changed.plan, 'pro')
  const projects = await runJson<Project[]>(['projects', 'list'], { environment })
  assert.deepEqual(
    projects.map(({ slug, plan, suspension }) => [slug, plan, suspension]),
    [
      ['kennel', 'pro', null],
      ['petstore', 'pro', null],
    ],
  )
  const fieldsOf = (project: Project) => Object.keys(project).sort()
  for (const project of [created, changed]) assert.deepEqual(fieldsOf(project), fieldsOf(projects[0] as Project))

  const place = ['--project', 'kennel', '--environment', 'production']
  const { key } = await runJson<Key>(['keys', 'create', ...place], { environment })
  const headers = { Authorization: `Bearer ${key}` }
  const answer = await service.call('/pets', { method: 'POST', body: { name: 'Rex', categoryId: 1 }, headers })
  assert.equal(answer.status, 201)
  assert.deepEqual(await (await service.call('/pets')).json(), [])

  const statusIs = (status: number) => async () => (await service.call('/pets', { headers })).status === status
  const suspend = ['projects', 'suspend', 'kennel', '--reason', 'It sends spam.']
  const endless = await runCommand([...suspend.slice(0, -1), 'x'.repeat(501)], { environment })
  assert.equal(endless.code, 1)
  assert.match(endless.stderr, /^The project was not suspended: reason must be 1 to 500 characters long,/)
  const { suspension } = await runJson<Project>(suspend, { environment })
  assert.equal(suspension?.reason, 'It sends spam.')
  await until('its key is refused', statusIs(403))
  const { stdout: listed } = await runCommand(['projects', 'list'], { environment })
  assert.match(listed, /^ {2}kennel +pro .* suspended +The Kennel\n {2}petstore +pro .* runs /m)
  assert.equal((await runJson<Project>(['projects', 'resume', 'kennel'], { environment })).suspension, null)
  await until('its key is taken again', statusIs(200))
  const nobody = await runCommand(['projects', 'resume', 'nobody'], { environment })
  assert.deepEqual([nobody.code, nobody.stderr], [1, 'There is no project "nobody".\n'])
})
