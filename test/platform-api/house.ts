import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { storageOf } from '../../src/features/audit/audited.ts'
import { Passwords } from '../../src/features/accounts/passwords/passwords.ts'
import { signUp as signUpVerb } from '../../src/features/accounts/sign-up.ts'
import { SignInThrottle } from '../../src/features/accounts/throttle.ts'
import { createVault } from '../../src/features/certificates/vault.ts'
import { VISITOR } from '../../src/features/audit/record.ts'
import { ManualClock } from '../../src/platform/clock.ts'
import type { Log } from '../../src/platform/log.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { until } from '../harness/until.ts'
import { Browser } from './browser.ts'

export const PASSWORD = 'correct horse battery'
const OPENING = Date.UTC(2026, 10, 15, 9, 30)

/** Somebody with an account, and the browser in which they are signed in. */
export interface Person {
  email: string
  browser: Browser
}

export interface House extends AsyncDisposable {
  readonly shop: TestPetstore
  readonly clock: ManualClock
  /** Owner of the first project, and operator. */
  readonly operator: Person
  /** A new account, invited by the operator. */
  person(): Promise<Person>
  /** A new account in a role of a project. */
  member(owner: Person, project: string, role: string): Promise<Person>
  /** A new project with an owner of its own, so that tests share a service and never each other's projects. */
  project(): Promise<{ slug: string; owner: Person }>
  /** Lets time pass, after which the operator and these people sign in again. */
  travel(byMs: number, ...people: Person[]): Promise<void>
  /** Somebody at another computer. */
  browser(localAddress?: string): Browser
}

export interface HouseOptions {
  databaseUrl?: string | undefined
  environment?: Record<string, string>
  log?: Log
}

/** The whole service on a clock that stands still, with its first owner signed up. */
export async function openHouse(options: HouseOptions = {}): Promise<House> {
  const clock = new ManualClock(OPENING)
  const { databaseUrl, environment, log } = options
  const shop = await startTestPetstore({
    clock,
    environment: { ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }), ...environment },
    ...(log === undefined ? {} : { log }),
  })
  const browser = (localAddress?: string) => new Browser(shop, localAddress)
  let people = 0
  let projects = 0

  // A stored hash is checked at its own cost: people whose password was hashed cheaply also sign in cheaply.
  const passwords = new Passwords({ cost: { memoryKib: 16, passes: 1 } })
  const { storage } = shop.petstore
  const settings = await storage.read.selectFrom('settings').selectAll().execute()
  const deviceSecret = settings.find(({ name }) => name === 'device_secret')?.value as string
  const visitor = { network: '127.0.0.1', userAgent: 'Test browser', sessionToken: undefined, deviceMark: undefined }

  const noMail = { mail: false, sealer: createVault(randomBytes(32)), dashboardUrl: shop.config.baseUrl.origin }

  const signUp = async (link: string): Promise<Person> => {
    const person = { email: `person-${++people}@example.com`, browser: browser() }
    const parts = {
      clock,
      passwords,
      throttle: new SignInThrottle(clock),
      deviceSecret,
      signup: 'invite' as const,
      isSuspended: () => false,
      ...noMail,
    }
    const { token, deviceMark } = await signUpVerb(
      { ...parts, storage: storageOf(storage, VISITOR, clock) },
      { token: tokenOf(link), email: person.email, name: `Person ${people}`, password: PASSWORD },
      visitor,
    )
    person.browser.cookies.set('petstore_session', token).set('petstore_device', deviceMark)
    return person
  }
  const operator = await signUp(shop.petstore.ownerLink as string)
  const person = async () => signUp(expect(201, await operator.browser.post('/operator/invitations')).link)

  return {
    shop,
    clock,
    operator,
    browser,
    person,
    member: async (owner, project, role) =>
      signUp(expect(201, await owner.browser.post(`/projects/${project}/invitations`, { role })).link),
    async project() {
      const owner = await person()
      const slug = `kennel-${++projects}`
      expect(201, await owner.browser.post('/projects', { slug }))
      return { slug, owner }
    },
    async travel(byMs, ...travellers) {
      clock.advance(byMs)
      for (const { email, browser: own } of [operator, ...travellers]) {
        expect(200, await own.post('/sign-in', { email, password: PASSWORD }))
      }
    },
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}

export const tokenOf = (link: string) => link.split('#')[1] as string

/** Adds a domain of the sandbox to the first project, creates its record, and waits for its certificate. */
export async function attachSandboxDomain(owner: Browser, hostname: string): Promise<void> {
  const { record } = expect(201, await owner.post('/projects/petstore/domains', { hostname }))
  const { type, name, value } = record.record
  expect(201, await owner.post('/sandbox/zones/example.test/records', { type, name, value }))
  expect(200, await owner.post(`/projects/petstore/domains/${hostname}/verify`))
  const domain = () => owner.get(`/projects/petstore/domains/${hostname}`)
  await until('the domain is live', async () => expect(200, await domain()).state === 'live')
}

/** The body of an answer that must have this status. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies whose shape they are there to prove
export function expect(status: number, answer: { status: number; text: string; json: any }): any {
  assert.equal(answer.status, status, answer.text)
  return answer.json
}
