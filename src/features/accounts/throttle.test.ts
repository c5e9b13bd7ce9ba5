import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, MINUTE_MS } from '../../platform/clock.ts'
import type { PetstoreError } from '../../platform/errors.ts'
import { networkOf } from '../../platform/network.ts'
import { SignInThrottle } from './throttle.ts'

const attempts = async (count: number, attempt: (index: number) => Promise<unknown>): Promise<number> => {
  let allowed = 0
  for (let index = 0; index < count; index++) {
    try {
      await attempt(index)
      allowed++
    } catch (error) {
      assert.equal((error as PetstoreError).code, 'rate_limited')
      assert.match((error as PetstoreError).headers['Retry-After'] as string, /^[1-9]\d*$/)
    }
  }
  return allowed
}

test('of a thousand guesses from one network twenty are looked at, then four a minute', async () => {
  const clock = new ManualClock(0)
  const throttle = new SignInThrottle(clock)
  const network = '2001:db8:1:2::/64'
  const guess = (index: number) => throttle.attempt({ email: `person-${index}@example.com`, network })
  assert.equal(await attempts(1000, guess), 20)
  clock.advance(MINUTE_MS)
  assert.equal(await attempts(1000, guess), 4)
})

test('of a thousand guesses from as many networks of one /48 100 are looked at, then 20 a minute', async () => {
  const clock = new ManualClock(0)
  const throttle = new SignInThrottle(clock)
  const networkAt = (index: number) => networkOf(`2001:db8:1:${index.toString(16)}::1`)
  const guess = (index: number) => throttle.attempt({ email: `person-${index}@example.com`, network: networkAt(index) })
  assert.equal(await attempts(1000, guess), 100)
  clock.advance(MINUTE_MS)
  assert.equal(await attempts(1000, guess), 20)
  const neighbour = networkOf('2001:db8:2:1::1')
  await throttle.attempt({ email: 'neighbour@example.com', network: neighbour })
  assert.equal(await attempts(1000, (index) => throttle.signUp(networkAt(index))), 50)
  await throttle.signUp(neighbour)
})

test('of a thousand guesses at an account from as many networks 100 are looked at, then one a minute', async () => {
  const clock = new ManualClock(0)
  const throttle = new SignInThrottle(clock)
  const guess = (index: number) => throttle.attempt({ email: 'owner@example.com', network: `network ${index}` })
  assert.equal(await attempts(1000, guess), 100)
  clock.advance(MINUTE_MS)
  assert.equal(await attempts(1000, guess), 1)
})

test('one network guesses ten times at an account, then six times an hour, and keeps no other out', async () => {
  const clock = new ManualClock(0)
  const throttle = new SignInThrottle(clock)
  const guess = (index: number) =>
    throttle.attempt({ email: 'owner@example.com', network: networkOf(`2001:db8:1:${index}::1`) })
  assert.equal(await attempts(1000, guess), 10)
  for (let hour = 0; hour < 24; hour++) {
    clock.advance(60 * MINUTE_MS)
    assert.equal(await attempts(1000, guess), 6)
  }
  await throttle.attempt({ email: 'owner@example.com', network: 'hotel' })
})

test('many networks use up what strangers may, but not where the person is signed in', async () => {
  const throttle = new SignInThrottle(new ManualClock(0))
  const at = (network: string, isKnownNetwork = false) =>
    throttle.attempt({ email: 'owner@example.com', network, isKnownNetwork })
  await attempts(1000, (index) => at(`network ${index}`))
  await assert.rejects(at('hotel'), { code: 'rate_limited', message: /from elsewhere \(a passkey still works/ })
  assert.equal(await attempts(100, () => at('home', true)), 10)
})

test('guesses that are refused, at however many addresses, give nobody new attempts at an account', async () => {
  const throttle = new SignInThrottle(new ManualClock(0))
  const guess = (index: number) => throttle.attempt({ email: 'owner@example.com', network: `network ${index % 50}` })
  assert.equal(await attempts(500, guess), 100)
  const elsewhere = (index: number) => throttle.attempt({ email: `${index}@example.com`, network: 'flood' })
  assert.equal(await attempts(60_000, elsewhere), 20)
  assert.equal(await attempts(500, guess), 0)
})

test('a device that the account knows has a budget of its own, which strangers cannot use up', async () => {
  const throttle = new SignInThrottle(new ManualClock(0))
  await attempts(1000, (index) => throttle.attempt({ email: 'owner@example.com', network: `network ${index % 50}` }))
  const own = { email: 'owner@example.com', network: 'network 0', device: 'laptop' }
  assert.equal(await attempts(100, () => throttle.attempt(own)), 20)
})

test('what succeeds does not count', async () => {
  const throttle = new SignInThrottle(new ManualClock(0))
  const succeed = async () => (await throttle.attempt({ email: 'owner@example.com', network: 'office' })).succeeded()
  assert.equal(await attempts(1000, succeed), 1000)
})

test('attempts that run at the same time are counted before they end', async () => {
  const throttle = new SignInThrottle(new ManualClock(0))
  const open = (index: number) => throttle.attempt({ email: `person-${index}@example.com`, network: 'office' })
  const opened = await Promise.allSettled(Array.from({ length: 1000 }, (_, index) => open(index)))
  assert.equal(opened.filter(({ status }) => status === 'fulfilled').length, 20)
})

test('accounts without an invitation: ten at once from one network, then one in five minutes', async () => {
  const clock = new ManualClock(0)
  const throttle = new SignInThrottle(clock)
  assert.equal(await attempts(1000, () => throttle.signUp('office')), 10)
  assert.equal(await attempts(1000, () => throttle.signUp('home')), 10)
  clock.advance(5 * MINUTE_MS)
  assert.equal(await attempts(1000, () => throttle.signUp('office')), 1)
})
