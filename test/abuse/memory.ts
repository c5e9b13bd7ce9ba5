import { Random } from '../campaign/random.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { clientHello } from '../edge/tls-fixture.ts'
import { bytesOf, type Request } from './hostile-requests.ts'
import { sayTo, statusesIn } from './wire.ts'

export interface MemoryOutcome {
  readonly requests: number
  /** Of the process, in MB: after the first fifth of the requests, and after each further one. */
  readonly residentMb: readonly number[]
  /** The last of them for the first. */
  readonly ratio: number
  readonly failures: readonly string[]
}

const AT_ONCE = 20
const INTERNAL_ERRORS = /^petstore_failures_total\{code="internal_error"\} [1-9]/

/** So many requests without a key, each with names, keys, ids and addresses that never come again. */
export async function hostileMemory(seed: number, count: number): Promise<MemoryOutcome> {
  const random = new Random(seed)
  await using service = await startServiceProcess()
  const residentMb: number[] = []
  let requests = 0
  while (requests < count) {
    const said = Array.from({ length: AT_ONCE }, (_, index) => bytesOf(stranger(random, index === AT_ONCE - 1)))
    requests += statusesIn(await sayTo(service.productionPort, Buffer.concat(said))).length
    await sayTo(service.httpsPort, clientHello(`${word(random, 60)}.example`), { hangUpAfterMs: 50 })
    if (requests >= ((residentMb.length + 1) * count) / 5) residentMb.push(await residentMbOf(service))
  }
  const metrics = await (await service.admin('/metrics')).text()
  const failures = metrics.split('\n').filter((line) => INTERNAL_ERRORS.test(line))
  return { requests, residentMb, ratio: (residentMb.at(-1) as number) / (residentMb[0] as number), failures }
}

function stranger(random: Random, isLast: boolean): Request {
  const method = random.pick(['GET', 'HEAD', 'POST', 'OPTIONS', 'PATCH'])
  const body = method === 'POST' ? `{"email":"${word(random, 20)}@example.com","${word(random, 40)}":1}` : ''
  const paths = ['/v1/pets', `/v1/pets/${word(random, 30)}`, `/${word(random, 200)}`, '/platform/v1/links/inspect']
  return {
    method,
    target: `${random.pick(paths)}?${word(random, 50)}=${word(random, 50)}`,
    headers: [
      ['Host', random.below(2) === 0 ? 'localhost' : `${word(random, random.pick([20, 200, 4000]))}.example`],
      ['Authorization', `Bearer ps_live_${word(random, 38)}`],
      ['Cookie', `petstore_session=${word(random, 43)}; petstore_device=${word(random, 80)}`],
      ['X-Request-Id', word(random, 30)],
      ['Idempotency-Key', word(random, 100)],
      ['If-None-Match', `"${word(random, 30)}"`],
      ['User-Agent', word(random, 200)],
      ['X-Forwarded-For', `192.0.2.${random.below(256)}`],
      ['Connection', isLast ? 'close' : 'keep-alive'],
      ...(body === ''
        ? []
        : ([
            ['Content-Type', 'application/json'],
            ['Content-Length', String(body.length)],
          ] as const)),
    ],
    body,
  }
}

async function residentMbOf(service: ServiceProcess): Promise<number> {
  const metrics = await (await service.admin('/metrics')).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1024 / 1024
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

function word(random: Random, length: number): string {
  let text = ''
  for (let left = length; left > 0; left--) text += LETTERS[random.below(LETTERS.length)]
  return text
}
