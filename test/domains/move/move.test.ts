import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addDomain } from '../../../src/features/domains/domains.ts'
import { showSpread } from '../../../src/features/domains/switch/spread.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/platform/clock.ts'
import type { ZoneRecord } from '../../../src/platform/dns/zone.ts'
import type { RecordAdvice } from '../../../src/features/domains/record.ts'
import { openPostgres } from '../../harness/postgres.ts'
import { a, aaaa, cname } from '../../harness/dns.ts'
import { type MoveLab, NS1, openMoveLab } from './lab.ts'
import { type LiveMove, openLiveMove } from './live-move.ts'

const VISITORS = 200
/** Enough for every way to visit at each of the four resolvers. */
const FEW = 40

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`a live domain moves here, on ${engine}`, () => {
    let lab: MoveLab
    let cleanup: AsyncDisposableStack
    before(async () => {
      cleanup = new AsyncDisposableStack()
      const databaseUrl = engine === 'postgres' ? await cleanup.use(await openPostgres()).createDatabase() : undefined
      lab = cleanup.use(await openMoveLab({ databaseUrl }))
    })
    after(() => cleanup.disposeAsync())

    test('and none of 200 visitors who ask without pause meets an error', async (t) => {
      const hostname = 'www.cats.test'
      await using move = await openLiveMove(lab, { apex: 'cats.test', hostname, visitors: VISITORS })
      const { record } = await move.prepare()
      await move.age()
      assert.equal(move.served().here, 0, 'nobody is led here before the switch')
      move.publish([cname(hostname, record.value)])
      await move.verify()
      await endMove(move)
      t.diagnostic(told(move))
    })
    if (engine === 'postgres') return

    test('with an apex, whose addresses are changed one after the other', async (t) => {
      const hostname = 'dogs.test'
      await using move = await openLiveMove(lab, { apex: hostname, hostname, visitors: FEW })
      const advice = await move.prepare()
      await move.age()
      const [v4, v6] = addressesOf(advice)
      move.publish([v4!, aaaa(hostname, '2001:db8::7')])
      await move.verify()
      assert.equal((await move.page()).oldHostUntil, null, 'IPv6 still leads to the old host')
      await move.pass(20 * MINUTE_MS)
      move.publish([v4!, v6!])
      await endMove(move)
      t.diagnostic(told(move))
    })

    test('with visitors who know that the old host has HTTPS only', async (t) => {
      const hostname = 'www.birds.test'
      await using move = await openLiveMove(lab, { apex: 'birds.test', hostname, visitors: FEW, hsts: true })
      const { record } = await move.prepare()
      await move.age()
      move.publish([cname(hostname, record.value)])
      await move.verify()
      await endMove(move)
      t.diagnostic(told(move))
    })

    test('with a nameserver that lags an hour', async (t) => {
      const hostname = 'www.fish.test'
      await using move = await openLiveMove(lab, { apex: 'fish.test', hostname, visitors: FEW })
      const { record } = await move.prepare()
      await move.age()
      move.publish([cname(hostname, record.value)], NS1)
      for (let quarters = 0; quarters < 4; quarters++) {
        await move.pass(HOUR_MS / 4)
        const { phase, oldHostUntil } = await move.page()
        assert.deepEqual([phase, oldHostUntil], ['moving', null])
      }
      const { rows } = await showSpread(lab.verbs, move.actor, hostname)
      const has = Object.fromEntries(rows.map((row) => [row.name, row.has]))
      assert.deepEqual(has, {
        'ns1.lab.test': 'new',
        'ns2.lab.test': 'old',
        R0: 'new',
        R1: 'old',
        R2: 'new',
        R3: 'old',
      })
      move.publish([cname(hostname, record.value)])
      await endMove(move)
      t.diagnostic(told(move))
    })

    test('but not if the old host is switched off before the page says so', async () => {
      const hostname = 'www.mice.test'
      await using move = await openLiveMove(lab, { apex: 'mice.test', hostname, visitors: FEW })
      const { record } = await move.prepare()
      await move.age()
      move.publish([cname(hostname, record.value)])
      await move.verify()
      const { oldHostUntil } = await move.page()
      await move.pass(Date.parse(oldHostUntil!) - lab.clock.now() - 3 * MINUTE_MS)
      assert.deepEqual(move.visitors.failures, [])
      await move.oldHost.switchOff()
      await move.visitors.askAgain()
      assert.match(move.visitors.failures.join('\n'), /ECONNREFUSED/)
      assert.deepEqual(move.visitors.certificateErrors, [])
    })

    test('nor if it was not prepared', async () => {
      const hostname = 'www.frogs.test'
      await using move = await openLiveMove(lab, { apex: 'frogs.test', hostname, visitors: FEW, hsts: true })
      const { record } = (await addDomain(lab.verbs, move.actor, { hostname })).record
      move.publish([cname(hostname, record.value)])
      await move.pass(HOUR_MS)
      const { certificateErrors, failures } = move.visitors
      assert.ok(certificateErrors.length >= FEW, `${certificateErrors.length} of ${failures.length}: ${failures[0]}`)
    })
  })
}

/** From the change in DNS to long after the old host has gone, which is at the first moment that the page allows. */
async function endMove(move: LiveMove): Promise<void> {
  await move.untilMoved()
  await move.oldHost.switchOff()
  const { there, here } = move.served()
  const { count } = move.visitors
  await move.visitors.askAgain()
  await move.pass(HOUR_MS)
  assert.deepEqual([move.visitors.failures, move.visitors.certificateErrors], [[], []])
  assert.deepEqual([move.served().there, there > count], [there, true], 'the old host was left by everybody')
  assert.ok(move.served().here >= here + 2 * count, 'everybody has come here')
}

const told = ({ visitors, served: count }: LiveMove) => {
  const { there, here } = count()
  const { failures, certificateErrors } = visitors
  return (
    `${visitors.asked} visits, ${there} at the old host and ${here} here: ` +
    `${failures.length} failed, ${certificateErrors.length} by their certificate`
  )
}

/** Where a provider has no ALIAS. */
const addressesOf = ({ alternatives }: RecordAdvice): ZoneRecord[] =>
  alternatives.map(({ type, fullName, value }) => (type === 'A' ? a : aaaa)(fullName, value))
