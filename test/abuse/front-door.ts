import { pino } from 'pino'
import { Random } from '../campaign/random.ts'
import { startSmtpServer } from '../domains/smtp-server.ts'
import { type House, openHouse } from '../platform-api/house.ts'
import { dashboardPart } from './dashboard-calls.ts'
import { http2Parts } from './http2-abuse.ts'
import { plainParts } from './plain-requests.ts'

/** One way of asking the service something that it does not expect. */
export interface Part {
  readonly name: string
  /** Sends one, waits for its end, and tells the statuses of the answers. */
  knock(random: Random): Promise<{ said: string; statuses: readonly number[] }>
  close?(): void
}

export interface Door extends AsyncDisposable {
  readonly house: House
  readonly parts: readonly Part[]
  /** Lines that the service wrote to its log as errors. */
  readonly logged: readonly string[]
}

/** The whole service, with everything that it calls an error written down; on PostgreSQL with mail. */
export async function openDoor(databaseUrl?: string): Promise<Door> {
  const logged: string[] = []
  await using building = new AsyncDisposableStack()
  const smtp = databaseUrl === undefined ? undefined : building.use(await startSmtpServer())
  const mail = smtp && {
    PETSTORE_SMTP_URL: smtp.url,
    PETSTORE_SMTP_TLS: 'optional',
    PETSTORE_MAIL_FROM: 'Petstore <news@petstore.test>',
  }
  const house = building.use(
    await openHouse({
      databaseUrl,
      environment: { PETSTORE_RATE_LIMIT: 'off', PETSTORE_SIGNUP: 'open', ...mail },
      log: pino({ level: 'error' }, { write: (line) => void logged.push(line) }),
    }),
  )
  const parts = [...plainParts(house), ...http2Parts(house), await dashboardPart(house)]
  // Fifty times as fast as the machine's: the shares that are used up here are there again a moment later.
  const time = setInterval(() => house.clock.advance(250), 5)
  building.defer(() => {
    for (const part of parts) part.close?.()
    clearInterval(time)
  })
  const opened = building.move()
  return { house, parts, logged, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

export interface DoorOutcome {
  /** How often each status was answered. */
  readonly statuses: ReadonlyMap<number, number>
  readonly troubles: readonly string[]
}

/** Knocks so many times and collects every answer of 500 and every line that the log calls an error. */
export async function knockAtDoor({ logged }: Door, part: Part, seed: number, count: number): Promise<DoorOutcome> {
  const random = new Random(seed)
  const statuses = new Map<number, number>()
  const troubles: string[] = []
  for (let index = 0; index < count && troubles.length < 10; index++) {
    const before = logged.length
    const answered = await part.knock(random)
    for (const status of answered.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const lines = logged.slice(before)
    if (!answered.statuses.includes(500) && lines.length === 0) continue
    troubles.push(`${part.name} ${index}, ${JSON.stringify(answered.said.slice(0, 2000))}: ${lines.join('')}`)
  }
  return { statuses, troubles }
}
