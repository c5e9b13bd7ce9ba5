import assert from 'node:assert/strict'
import { argon2, type Argon2Parameters } from 'node:crypto'
import { test } from 'node:test'
import { PASSWORD_COST, Passwords } from './passwords.ts'

const CHEAP = { memoryKib: 16, passes: 1 }

/** argon2 itself, with a count of what is asked of it. */
function counted() {
  const calls: Argon2Parameters[] = []
  let running = 0
  let runningMax = 0
  const counting = ((algorithm, parameters, callback) => {
    calls.push(parameters)
    runningMax = Math.max(runningMax, ++running)
    argon2(algorithm, parameters, (error, tag) => {
      running--
      callback(error, tag)
    })
  }) as typeof argon2
  return { calls, argon2: counting, runningMax: () => runningMax }
}

test('a password is recognised, another is not, and the same one hashes differently each time', async () => {
  const passwords = new Passwords({ cost: CHEAP })
  const stored = await passwords.hash('correct horse battery')
  assert.match(stored, /^\$argon2id\$v=19\$m=16,t=1,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.equal(await passwords.verify('correct horse battery', stored), true)
  assert.equal(await passwords.verify('correct horse batterx', stored), false)
  assert.notEqual(await passwords.hash('correct horse battery'), stored)
})

test('the default costs what OWASP asks for, and a stored hash is checked at its own cost', async () => {
  assert.deepEqual(PASSWORD_COST, { memoryKib: 19 * 1024, passes: 2 })
  const stored = await new Passwords({ cost: CHEAP }).hash('correct horse battery')
  const { calls, argon2: counting } = counted()
  assert.equal(await new Passwords({ argon2: counting }).verify('correct horse battery', stored), true)
  assert.deepEqual(
    calls.map(({ memory, passes }) => ({ memoryKib: memory, passes })),
    [CHEAP],
  )
})

test('the same letters composed differently are the same password', async () => {
  const passwords = new Passwords({ cost: CHEAP })
  assert.equal(await passwords.verify('cafe\u0301 au lait', await passwords.hash('caf\u00e9 au lait')), true)
})

test('an unknown account costs exactly what a known one costs, and is always refused', async () => {
  const { calls, argon2: counting } = counted()
  const passwords = new Passwords({ cost: CHEAP, argon2: counting })
  const stored = await passwords.hash('correct horse battery')
  calls.length = 0
  assert.equal(await passwords.verify('wrong password', stored), false)
  assert.equal(await passwords.verify('wrong password', undefined), false)
  assert.equal(await passwords.verify('wrong password', 'not a hash'), false)
  assert.equal(calls.length, 3)
  const cost = ({ memory, passes, parallelism, tagLength, message, nonce }: Argon2Parameters) => [
    memory,
    passes,
    parallelism,
    tagLength,
    String(message),
    (nonce as Buffer).byteLength,
  ]
  for (const call of calls) assert.deepEqual(cost(call), cost(calls[0] as Argon2Parameters))
})

test('a crowd is served a few at a time, known devices first, and the rest is told to come back', async () => {
  const { calls, argon2: counting, runningMax } = counted()
  const passwords = new Passwords({ cost: CHEAP, parallelMax: 2, argon2: counting })
  const crowd = Array.from({ length: 300 }, (_, index) =>
    passwords
      .verify(`stranger ${index}`, undefined, { share: `network ${index}` })
      .catch((error: Error & { code: string }) => error.code),
  )
  const own = passwords.verify('own device', undefined, { share: 'owner', urgent: true })
  const outcomes = await Promise.all(crowd)
  await own
  assert.equal(runningMax(), 2)
  assert.equal(outcomes.filter((outcome) => outcome === 'unavailable').length, 300 - 202)
  // Whose turn comes is decided here; who is done first, by the threads that hash.
  const served = calls.map(({ message }) => String(message))
  assert.deepEqual(served.slice(0, 4), ['stranger 0', 'stranger 1', 'own device', 'stranger 2'])
})

test('one network gets a tenth of the queue, and cannot keep the others out', async () => {
  const passwords = new Passwords({ cost: CHEAP, parallelMax: 1 })
  const knock = (share: string, urgent = false) =>
    passwords.verify('guess', undefined, { share, urgent }).catch((error: Error & { code: string }) => error.code)
  const crowd = Array.from({ length: 300 }, () => knock('crowd'))
  const marks = Array.from({ length: 300 }, () => knock('somebody with many known devices', true))
  const others = Array.from({ length: 20 }, (_, index) => knock(`network ${index}`))
  const refused = async (outcomes: Promise<unknown>[]) =>
    (await Promise.all(outcomes)).filter((outcome) => outcome === 'unavailable').length
  assert.deepEqual([await refused(crowd), await refused(marks), await refused(others)], [279, 280, 0])
})

test('whoever signs in on a known device without pause keeps nobody else out', async () => {
  const passwords = new Passwords({ cost: CHEAP, parallelMax: 1 })
  const OWN_MAX = 1000
  let own = 0
  let answered = 0
  const withoutPause = async () => {
    while (answered < 2 && own++ < OWN_MAX) await passwords.verify('own', undefined, { share: 'own', urgent: true })
  }
  const loops = Array.from({ length: 20 }, withoutPause)
  const others = [{ share: 'network' }, { share: 'another', urgent: true }].map((turn) =>
    passwords.verify('guess', undefined, turn).then(() => answered++),
  )
  await Promise.all([...loops, ...others])
  assert.ok(own < 50, `${own} of the one before the others`)
})

test('however many people sign in on known devices at once, whoever comes last waits for one of each', async () => {
  const { calls, argon2: counting } = counted()
  const passwords = new Passwords({ cost: CHEAP, parallelMax: 1, argon2: counting })
  const crowd = Array.from({ length: 200 }, (_, index) =>
    passwords.verify('crowd', undefined, { share: `account ${index % 10}`, urgent: true }),
  )
  const last = passwords.verify('last', undefined, { share: 'somebody', urgent: true })
  await Promise.all([...crowd, last])
  const before = calls.findIndex(({ message }) => String(message) === 'last')
  assert.ok(before <= 11, `${before} of the crowd before`)
})
