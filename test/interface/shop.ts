import { Agent, request } from 'node:http'
import { createKey, type NewKey } from '../../src/features/keys/keys.ts'
import { createProject, type Project } from '../../src/features/projects/projects.ts'
import { ManualClock } from '../../src/platform/clock.ts'
import type { Environment } from '../../src/platform/http/operation.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { type Answer, exactJson, PublishedContract } from './contract.ts'

const OPENING = Date.UTC(2026, 10, 15, 9, 30)

export interface Question {
  method?: string
  environment?: Environment
  /** A value is sent as JSON; text and bytes are sent as they are. */
  body?: unknown
  headers?: Record<string, string | string[]>
  /** Another key than the tenant's own; an empty one sends no Authorization. */
  key?: string
}

/** A project of its own for a test, so that tests share a service and never each other's animals. */
export interface Tenant {
  readonly project: Project
  readonly keys: Record<Environment, NewKey>
  /** Asks, judges the answer by the published contract, and returns it. */
  ask(path: string, question?: Question): Promise<Answer>
  get(path: string, question?: Question): Promise<Answer>
  post(path: string, body: unknown, question?: Question): Promise<Answer>
  patch(path: string, body: unknown, question?: Question): Promise<Answer>
  newKey(input?: { environment?: Environment; scopes?: string[]; expiresAt?: number }): Promise<NewKey>
}

export interface Shop extends AsyncDisposable {
  readonly service: TestPetstore
  readonly clock: ManualClock
  readonly contract: PublishedContract
  tenant(): Promise<Tenant>
  /** A tenant that was made by an earlier start on the same data. */
  knownTenant(project: Project, keys: Record<Environment, NewKey>): Tenant
  /** A question without judgement and without a key of its own, to any path of an address. */
  fetch(target: string, question?: Question): Promise<Answer>
}

export interface ShopOptions {
  databaseUrl?: string | undefined
  environment?: Record<string, string>
  dataDirectory?: string
  now?: number
}

let shops = 0

/** The whole service on a clock that stands still, without a rate limit unless one is asked for. */
export async function openShop(options: ShopOptions = {}): Promise<Shop> {
  const clock = new ManualClock(options.now ?? OPENING)
  const service = await startTestPetstore({
    clock,
    ...(options.dataDirectory === undefined ? {} : { dataDirectory: options.dataDirectory }),
    environment: {
      PETSTORE_RATE_LIMIT: 'off',
      ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
      ...options.environment,
    },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const { config, petstore } = service
  const capabilities = { storage: petstore.storage, clock }
  const shop = ++shops
  let tenants = 0

  const fetch = (target: string, question: Question = {}) => {
    const address = question.environment === 'staging' ? config.stagingUrl : config.baseUrl
    return exchange(agent, Number(address.port), target, question)
  }
  const contract = new PublishedContract((await fetch('/v1/openapi.json')).json)

  const knownTenant: Shop['knownTenant'] = (project, keys) => {
    const ask: Tenant['ask'] = async (path, question = {}) => {
      const key = question.key ?? keys[question.environment ?? 'production'].key
      const headers = { ...(key && { Authorization: `Bearer ${key}` }), ...question.headers }
      const answer = await fetch(`/v1${path}`, { ...question, headers })
      contract.judge(question.method ?? 'GET', path, answer)
      return answer
    }
    return {
      project,
      keys,
      ask,
      newKey: (input) => createKey(capabilities, project.id, { environment: 'production', ...input }),
      get: ask,
      post: (path, body, question) => ask(path, { method: 'POST', body, ...question }),
      patch: (path, body, question) => ask(path, { method: 'PATCH', body, ...question }),
    }
  }

  return {
    service,
    clock,
    contract,
    fetch,

    async tenant() {
      const project = await createProject(capabilities, { slug: `shop-${shop}-${++tenants}-${process.pid}` })
      const keys = {
        production: await createKey(capabilities, project.id, { environment: 'production' }),
        staging: await createKey(capabilities, project.id, { environment: 'staging' }),
      }
      return knownTenant(project, keys)
    },
    knownTenant,

    async [Symbol.asyncDispose]() {
      agent.destroy()
      await service[Symbol.asyncDispose]()
    },
  }
}

function exchange(agent: Agent, port: number, path: string, question: Question): Promise<Answer> {
  const { method = 'GET', body, headers } = question
  const payload = body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : jsonOf(body)
  const described =
    payload === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': lengthOf(payload) }
  return new Promise((resolve, reject) => {
    const asked = request({ agent, host: '127.0.0.1', port, path, method, headers: { ...described, ...headers } })
    asked.on('error', reject)
    asked.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('error', reject)
      response.on('end', () => {
        const isJson = response.headers['content-type'] === 'application/json' && text !== ''
        resolve({
          status: response.statusCode as number,
          headers: response.headers,
          text,
          json: isJson ? exactJson(text) : undefined,
        })
      })
    })
    asked.end(payload)
  })
}

const lengthOf = (payload: string | Uint8Array) =>
  typeof payload === 'string' ? Buffer.byteLength(payload) : payload.byteLength

/** Bigints are written digit by digit. */
export function jsonOf(value: unknown): string {
  const raw = JSON as typeof JSON & { rawJSON(text: string): unknown }
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? raw.rawJSON(String(part)) : part))
}
