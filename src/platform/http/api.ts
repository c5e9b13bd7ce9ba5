import type { IncomingMessage } from 'node:http'
import type { Clock } from '../clock.ts'
import { PetstoreError } from '../errors.ts'
import { type MaybePromise, whenThere } from '../maybe-promise.ts'
import { FreshSingleFlight } from '../single-flight.ts'
import type { Storage } from '../storage/storage.ts'
import type { Tables } from '../storage/tables.ts'
import { isEncrypted } from './client.ts'
import { deprecationNotices } from './deprecation.ts'
import type { Exchange, HttpInterface, HttpRoute } from './exchange.ts'
import {
  type Answer,
  type Call,
  type Caller,
  ENVIRONMENTS,
  type Environment,
  type Operation,
  type OperationContract,
} from './operation.ts'
import type { RateDecision, RateLimiter } from './rate-limit.ts'
import { questionOf, type ResponseCache } from './response-cache.ts'

interface ApiNeeds {
  operations: readonly Operation[]
  baseUrls: Record<Environment, string>
  /** Answers given without a key, by path relative to the base address. */
  documents: Record<string, Answer>
  authenticate(authorization: string | undefined, environment: Environment): Caller | Promise<Caller>
  /** Tells whether what was answered before is still right, where the storage can tell. */
  storage: Pick<Storage, 'versionOf'>
  rateLimiter: RateLimiter | undefined
  clock: Clock
  cache: ResponseCache
  answered: HttpInterface['answered']
  documentationUrl: string
}

/** The `/v1` interface: what its contracts promise, before and after every operation. */
export function createApi(needs: ApiNeeds): HttpInterface {
  const { rateLimiter, clock, documentationUrl } = needs
  const { cache } = needs
  const questions = new FreshSingleFlight<Answer>()

  return {
    prefix: '/v1',
    environments: ENVIRONMENTS,
    crossOrigin: true,
    ratePolicy: rateLimiter?.policy,
    // No parameter is too long: the operation itself says that there is no such animal.
    parameterLengthMax: Number.MAX_SAFE_INTEGER,
    routes: [...needs.operations.map(operationRoute), ...Object.entries(needs.documents).map(documentRoute)],
    nothingAt: (path) => `There is no operation at ${path}. The paths are listed in ${documentationUrl}/animals/.`,
    answered: needs.answered,
  }

  function operationRoute({ contract, reads, handle }: Operation): HttpRoute<Call<Caller>> {
    const { id, method, path, deprecation } = contract
    const sunsetAt = deprecation ? Date.parse(deprecation.sunset) : Infinity
    const isQuestion = method === 'GET'
    const notices = deprecation && deprecationNotices(deprecation, needs)
    return {
      id,
      method,
      path,
      body: contract.body ? 'json' : 'ignored',
      notices: notices && (({ environment, request }) => notices(environment, calledUrl(environment, request))),
      admit(exchange, isAgain) {
        const { request, environment } = exchange
        const goOn = (caller: Caller) => {
          if (!isAgain) takeRate(exchange, caller)
          return welcome(exchange, caller, contract, sunsetAt)
        }
        const caller = needs.authenticate(request.headers.authorization, environment)
        return caller instanceof Promise ? caller.then(goOn) : goOn(caller)
      },
      answer: (call, body) => (isQuestion && reads ? answerQuestion(reads, call, handle) : handle({ ...call, body })),
    }
  }

  /** The key is good: now the rate, and then the scope. */
  function takeRate(exchange: Exchange, caller: Caller): void {
    exchange.caller = caller
    if (!rateLimiter) return
    const rate = rateLimiter.take(caller.keyId, caller.projectId)
    exchange.rate = rate.header
    if (!rate.allowed) throw tooManyRequests(rate)
  }

  function welcome(exchange: Exchange, caller: Caller, contract: OperationContract, sunsetAt: number): Call<Caller> {
    if (!caller.scopes.includes(contract.scope)) throw scopeMissing(contract)
    if (sunsetAt !== Infinity && clock.now() >= sunsetAt) throw removed(contract)
    const { request, environment, parameters } = exchange
    return {
      caller,
      url: request.url as string,
      baseUrl: calledUrl(environment, request),
      parameters,
      headers: request.headers,
      body: undefined,
    }
  }

  function calledUrl(environment: Environment, request: IncomingMessage): string {
    return addressAsCalled(needs.baseUrls[environment], request)
  }

  /** What was answered before, if the tenant's data have not changed; where nobody can tell, what others ask now. */
  function answerQuestion(reads: keyof Tables, call: Call<Caller>, handle: Operation['handle']): MaybePromise<Answer> {
    const { url, caller, baseUrl } = call
    // Answers have addresses in them, and so those of another address than the usual are kept apart.
    const isUsual = baseUrl === needs.baseUrls[caller.environment]
    const tenant = isUsual ? caller.tenant : `${caller.tenant} ${baseUrl}`
    const version = needs.storage.versionOf(reads, caller)
    if (version === undefined) return questions.ask(tenant + url, async () => repeated(await handle(call)))
    const question = questionOf(tenant, url)
    const kept = cache.find(version, question)
    if (kept) return kept
    return whenThere(handle(call), (answer) => {
      if (cache.keepIfAskedAgain(version, question, answer)) answer.repeated = true
      return answer
    })
  }
}

/** Who came over TLS is not sent back to plain HTTP where the configured address is plain, as in local mode. */
function addressAsCalled(baseUrl: string, request: IncomingMessage): string {
  if (baseUrl.startsWith('https:') || !isEncrypted(request)) return baseUrl
  const { host, ':authority': authority } = request.headers
  return `https://${host ?? authority}${new URL(baseUrl).pathname}`
}

function repeated(answer: Answer): Answer {
  answer.repeated = true
  return answer
}

function documentRoute([path, document]: [string, Answer]): HttpRoute<void> {
  return { id: path, method: 'GET', path, body: 'ignored', admit: () => {}, answer: () => repeated(document) }
}

function tooManyRequests({ by, resetSeconds }: RateDecision): PetstoreError {
  const who = by === 'key' ? 'This key has' : 'The keys of this project together have'
  return new PetstoreError('rate_limited', `${who} sent too many requests: wait as long as Retry-After says.`, {
    headers: { 'Retry-After': String(resetSeconds) },
  })
}

function scopeMissing({ scope }: OperationContract): PetstoreError {
  return new PetstoreError('forbidden', `This key may not ${scope}: use one with the scope ${scope}.`)
}

function removed({ id, deprecation }: OperationContract): PetstoreError {
  return new PetstoreError('gone', `${id} was removed on ${deprecation?.sunset}. ${deprecation?.advice}`)
}
