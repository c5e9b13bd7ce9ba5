import { setTimeout as wait } from 'node:timers/promises'
import type { Animal } from '../faults/writers.ts'
import type { ServiceProcess } from '../harness/service-process.ts'
import { type Answer, ask, saysNothingChanged, type Tenant } from './ask.ts'
import type { History, Hold } from './history.ts'
import type { Random } from './random.ts'

export interface ClientNeeds {
  readonly instances: readonly ServiceProcess[]
  readonly history: History
  readonly random: Random
  readonly tenant: Tenant
  /** Which of the instances it talks to; a request that may be repeated goes to any of them. */
  readonly home: number
  readonly hasEnded: () => boolean
  /** Animals that some client knows of, by tenant. */
  readonly known: bigint[]
  readonly pauseMsMax: number
}

const KNOWN_MAX = 400
/** The nemesis has ended by then, and each repetition waits as long as a client waits. */
const REPEATS_AFTER_FAULTS = 1000
let names = 0

/** One client: adds, reads, renames and orders animals without an end, whatever happens to the service. */
export async function runClient(needs: ClientNeeds): Promise<void> {
  const { random, hasEnded, pauseMsMax } = needs
  while (!hasEnded()) {
    const turn = random.below(100)
    if (turn < 30) await add(needs, undefined)
    else if (turn < 50) await add(needs, `campaign-${names}-${random.below(2 ** 32)}`)
    else if (turn < 70) await read(needs)
    else if (turn < 85) await rename(needs)
    else if (turn < 93) await order(needs, undefined)
    else await order(needs, `campaign-order-${++names}-${random.below(2 ** 32)}`)
    await wait(random.below(pauseMsMax))
  }
}

async function add(needs: ClientNeeds, idempotencyKey: string | undefined): Promise<void> {
  const { history, random, tenant, known } = needs
  const name = `Nr. ${++names} ${random.below(2 ** 32)}`
  const body = JSON.stringify({ name, categoryId: random.below(1000), status: 'available' })
  const start = performance.now()
  const question = { method: 'POST', body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
  const answer = await send(needs, '/pets', question, idempotencyKey !== undefined, [201])
  const id = answer?.status === 201 ? (answer.body as Animal).id : undefined
  const refused = answer !== undefined && saysNothingChanged(answer) && idempotencyKey === undefined
  history.creates.push({ tenant, name, id, refused, start, end: id === undefined ? Infinity : performance.now() })
  if (id === undefined) return
  if (known.length < KNOWN_MAX) known.push(id)
  else known[random.below(KNOWN_MAX)] = id
}

async function read({ instances, history, random, tenant, home, known }: ClientNeeds): Promise<void> {
  if (known.length === 0) return
  const petId = random.pick(known)
  const answer = await ask(instances[home] as ServiceProcess, tenant, `/pets/${petId}`)
  if (!answer || answer.status === 503) return
  if (answer.status !== 200) return void history.violations.push(`animal ${petId}: ${answer.status} ${answer.text}`)
  const { name, status } = answer.body as Animal
  history.sights.push({ tenant, petId, name, status, start: answer.start, end: answer.end })
}

async function rename(needs: ClientNeeds): Promise<void> {
  const { history, random, tenant, known } = needs
  if (known.length === 0) return
  const petId = random.pick(known)
  const name = `Nr. ${++names} ${random.below(2 ** 32)}`
  const start = performance.now()
  const question = { method: 'PATCH', body: JSON.stringify({ name }) }
  const answer = await send(needs, `/pets/${petId}`, question, false, [200])
  const refused = answer !== undefined && saysNothingChanged(answer)
  history.renames.push({ tenant, petId, name, refused, start, end: answer?.status === 200 ? answer.end : Infinity })
}

/** Orders an animal and, mostly, ends the order again. */
async function order(needs: ClientNeeds, idempotencyKey: string | undefined): Promise<void> {
  const { history, random, tenant, known, pauseMsMax } = needs
  if (known.length === 0) return
  const petId = random.pick(known)
  const body = `{"petId":${petId}}`
  const question = { method: 'POST', body, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
  const answer = await send(needs, '/store/orders', question, idempotencyKey !== undefined, [201, 409])
  if (answer === undefined || (answer.status === 503 && !saysNothingChanged(answer)))
    history.unansweredOrders.push({ tenant, petId })
  if (answer?.status !== 201) return
  const hold: Hold = { tenant, petId, orderId: (answer.body as { id: bigint }).id, placed: answer, ended: undefined }
  history.holds.push(hold)
  await wait(random.below(pauseMsMax))
  if (random.below(4) === 0) return
  const status = random.below(3) === 0 ? 'completed' : 'cancelled'
  const start = performance.now()
  // To end an order as it has ended already is no change, so that it may be repeated.
  const ending = { method: 'PATCH', body: JSON.stringify({ status }) }
  const ended = await send(needs, `/store/orders/${hold.orderId}`, ending, true, [200])
  hold.ended = { status, start, end: ended?.status === 200 ? ended.end : Infinity }
}

/** Sends it once, or, where that is safe, again until it is answered; keeps note of answers that no fault explains. */
async function send(
  { instances, history, random, tenant, home, hasEnded }: ClientNeeds,
  path: string,
  question: { method: string; body: string; idempotencyKey?: string },
  mayRepeat: boolean,
  expected: readonly number[],
): Promise<Answer | undefined> {
  let repeatsLeft = REPEATS_AFTER_FAULTS
  for (let instance = home; ; instance = random.below(instances.length)) {
    const answer = await ask(instances[instance] as ServiceProcess, tenant, path, question)
    if (answer?.status === 201) history.served[instance]?.push(answer.end)
    // The first try may still be at work where this one arrived: that passes, unlike other conflicts.
    const isBusy = answer?.status === 409 && answer.text.includes('Idempotency-Key')
    if (answer && expected.includes(answer.status) && !isBusy) return answer
    if (answer && answer.status !== 503 && !isBusy) {
      history.violations.push(`${question.method} ${path}: ${answer.status} ${answer.text}`)
      return answer
    }
    if (!mayRepeat) return answer
    if (hasEnded() && repeatsLeft-- === 0) {
      history.violations.push(`${question.method} ${path} is not answered although all faults are over`)
      return answer
    }
    await wait(20)
  }
}
