import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { noticesByMail } from '../../src/features/accounts/mail/notices.ts'
import { lookAtPlatformName } from '../../src/features/certificates/platform-certificates.ts'
import { findNewestCertificate } from '../../src/features/certificates/queries.ts'
import type { WatchNeeds } from '../../src/features/certificates/watching/watch.ts'
import { DAY_MS } from '../../src/platform/clock.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { openWithIssuer } from './issuer-world.ts'
import { problemOf } from './scripted-issuer.ts'
import { verbsOf, watch } from './watch-once.ts'
import { OPENING } from './world.ts'
import { openWorldEdge } from './world-edge.ts'

let server: PostgresDatabases
before(async () => void (server = await openPostgres()))
after(() => server[Symbol.asyncDispose]())

const employ = defineWrite('test.employ', async (db, email: string) => {
  await db
    .insertInto('accounts')
    .values({
      id: `acc_${email}`,
      email,
      name: email,
      password_hash: null,
      password_changed_at: OPENING,
      operator: Number(email.startsWith('operator')),
      created_at: OPENING,
      email_confirmed_at: OPENING,
      must_confirm: 0,
    })
    .execute()
})

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`every operator hears once of each share that is left of the platform’s certificate (${engine})`, async () => {
    const databaseUrl = engine === 'postgres' ? await server.createSchema() : undefined
    const hostname = 'shop.localhost'
    const lifeMs = 6 * DAY_MS
    await using world = await openWithIssuer({ databaseUrl, lifeMs, limits: {}, isPlatformName: async () => true })
    for (const email of ['operator@example.com', 'operator2@example.com', 'ada@example.com']) {
      await world.storage.write(employ, email)
    }
    await world.storage.write(lookAtPlatformName, { hostname, now: world.clock.now() })
    await world.settle()
    assert.equal(world.issuer.attempts.length, 1)
    world.issuer.problem = problemOf('ca_unavailable')
    const steps = () => verbsOf(world, /certificate\.expiring/)
    await world.pass(0.6 * lifeMs, lifeMs / 20)
    assert.deepEqual(await steps(), [])
    await world.pass(0.15 * lifeMs, lifeMs / 20)
    assert.equal((await steps()).length, 1, 'whoever orders has told the first')

    // Nobody orders any more: whoever watches tells the next, to everybody who runs the service.
    await world.domains[Symbol.asyncDispose]()
    world.clock.advance(0.15 * lifeMs)
    await using edge = await openWorldEdge(world)
    const platform: WatchNeeds['platform'] = {
      names: async () => [{ hostname, visitName: hostname }],
      chainAt: async () => (await findNewestCertificate(world.storage.read, hostname))?.chain,
      onProblem: () => {},
    }
    const tell = noticesByMail('https://pets.example')
    for (const instance of ['one', 'two', 'one']) await watch(world, instance, edge, platform, tell)
    assert.equal((await steps()).length, 2)
    const mails = await world.storage.read.selectFrom('mails').select(['recipient', 'subject', 'text']).execute()
    assert.deepEqual(mails.map(({ recipient }) => recipient).toSorted(), [
      'operator2@example.com',
      'operator@example.com',
    ])
    assert.match(
      `${mails[0]?.subject} ${mails[0]?.text}`,
      /certificate for shop\.localhost .* Less than 15 % of its life/,
    )
  })
}
