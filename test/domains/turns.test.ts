import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expireClaim, recordCheck } from '../../src/features/domains/check-writes.ts'
import { addDomain, type DomainActor, removeDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { prepareDomain } from '../../src/features/domains/preparation/prepare.ts'
import { CHECK_QUEUE, findDomain } from '../../src/features/domains/queries.ts'
import { insertDomain, requestCheck } from '../../src/features/domains/writes.ts'
import { deleteProjectRow } from '../../src/platform-api/delete-project.ts'
import { DAY_MS, type ManualClock, SECOND_MS } from '../../src/platform/clock.ts'
import { findDueTimes, type Lease } from '../../src/platform/work/lease.ts'
import { claim } from '../../src/platform/work/runner.ts'
import { meanwhile } from '../harness/meanwhile.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { type DomainWorld, openDomainWorld } from './world.ts'

const APEX = 'example.test'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`writes to one domain at once, on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
    })
    after(() => server?.[Symbol.asyncDispose]())

    async function open() {
      const world = await openDomainWorld({ databaseUrl: await server?.createSchema(), idle: true })
      const actor = await world.project()
      await addDomain(world.verbs, actor, { hostname: APEX })
      const domain = () => findDomain(world.storage.read, actor.projectId, APEX)
      return Object.assign(world, { actor, domain })
    }

    test('Verify, chosen while a check is being written, does not take the verification back', async () => {
      await using world = await open()
      await meanwhile(world.storage, recordCheck, await passedCheck(world, world.actor), () =>
        verifyDomain(world.verbs, world.actor, APEX),
      )
      const row = await world.domain()
      assert.notEqual(row?.verified_at, null)
      assert.notEqual(row?.requested_at, null, 'and it is looked at once more')
    })

    test('nor does Prepare, which has nothing to prepare any more', async () => {
      await using world = await open()
      await meanwhile(world.storage, recordCheck, await passedCheck(world, world.actor), () =>
        assert.rejects(prepareDomain(world.verbs, world.actor, { hostname: APEX }), /leads here already/),
      )
      assert.notEqual((await world.domain())?.verified_at, null)
    })

    test('a look that began before Verify was chosen is not its answer, and the next one is', async () => {
      await using world = await open()
      const before = await failedCheck(world, world.actor)
      ;(world.clock as ManualClock).advance(SECOND_MS)
      const pressedAt = world.clock.now()
      await verifyDomain(world.verbs, world.actor, APEX)
      await world.storage.write(recordCheck, { ...before, now: pressedAt })
      const waiting = await world.domain()
      assert.deepEqual([waiting?.failing_since, waiting?.checked_at], [pressedAt, null])
      assert.equal(waiting?.requested_at, pressedAt, 'it is still being verified')

      const lease = await takeLease(world)
      await world.storage.write(recordCheck, { ...before, lease, requestedAt: pressedAt, now: pressedAt })
      const looked = await world.domain()
      assert.deepEqual([looked?.requested_at, looked?.checked_at], [null, pressedAt])
    })

    test('what is removed is the domain as the check has left it', async () => {
      await using world = await open()
      const { removed } = await meanwhile(world.storage, recordCheck, await passedCheck(world, world.actor), () =>
        removeDomain(world.verbs, world.actor, { hostname: APEX }),
      )
      assert.deepEqual([removed.state, removed.verifiedAt === null], ['removed', false])
    })

    test('whoever claims a hostname while the project that has it is deleted is looked at again', async () => {
      await using world = await open()
      const second = await world.project()
      const now = world.clock.now()
      const look = { startedAt: now, lead: 'by address' as const, ownZone: true, rivals: { open: 1, ever: 1 } }
      const claimed = {
        id: 'dom_second',
        projectId: second.projectId,
        hostname: APEX,
        proof: '',
        targetLabel: 'second',
      }
      await meanwhile(world.storage, insertDomain, { ...claimed, look, now }, () =>
        world.storage.write(deleteProjectRow, { id: world.actor.projectId, accountId: null, now }),
      )
      const due = await findDueTimes(world.storage.read, CHECK_QUEUE, ['dom_second'])
      assert.equal(due.get('dom_second'), now)
    })

    test('a claim that Verify prolongs in its last moment does not end', async () => {
      await using world = await open()
      ;(world.clock as ManualClock).advance(7 * DAY_MS)
      const lease = await takeLease(world)
      const now = world.clock.now()
      const request = { projectId: world.actor.projectId, hostname: APEX, now }
      const outcome = await meanwhile(world.storage, requestCheck, request, () =>
        world.storage.write(expireClaim, { lease, now }),
      )
      assert.equal(outcome.kind, 'kept')
    })
  })
}

async function takeLease({ storage, clock }: DomainWorld): Promise<Lease> {
  const wanted = { queue: CHECK_QUEUE, now: clock.now(), owners: ['a test'], leaseMs: 60_000, busy: [] }
  const [lease] = await storage.write(claim, wanted)
  return lease!
}

async function failedCheck(world: DomainWorld, actor: DomainActor) {
  return { ...(await passedCheck(world, actor)), outcome: 'failed' as const, problems: ['record_missing'] }
}

/** The answer to a Verify: it leads here, and the claim was alone. */
async function passedCheck(world: DomainWorld, actor: DomainActor) {
  await verifyDomain(world.verbs, actor, APEX)
  const now = world.clock.now()
  return {
    lease: await takeLease(world),
    hostname: APEX,
    outcome: 'passed' as const,
    problems: [],
    trouble: undefined,
    certificate: undefined,
    look: { startedAt: now, lead: 'by address' as const, ownZone: true, rivals: { open: 0, ever: 0 } },
    proofAsked: 'none' as const,
    requestedAt: now,
    evidence: '',
    proofForLoser: '',
    now,
  }
}
