import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { problemsOf } from './json-schema.ts'

/** An answer as it came over the wire. */
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The body with every integer exact: a bigint where a number would round. */
  json: unknown
}

/** The contract's Error. */
export interface ErrorBody {
  code: string
  message: string
  status: number
}

type Json = { [key: string]: Json } & Json[] & string

/**
 * Judges answers by the published document alone: every error body exact, every success valid against its schema,
 * every status one that the operation declares.
 */
export class PublishedContract {
  readonly #document: Json

  constructor(document: unknown) {
    this.#document = document as Json
  }

  /** Fails unless the answer is one that the document promises for this request. */
  judge(method: string, target: string, answer: Answer): void {
    const where = `${method} ${target.slice(0, 200)} → ${answer.status} ${answer.text.slice(0, 300)}`
    assert.ok(answer.status < 500, `a failure of ours: ${where}`)
    assert.ok(answer.headers['x-request-id'], `no X-Request-Id: ${where}`)
    assert.equal(answer.headers['access-control-allow-origin'], '*', where)
    if (answer.status === 304 || answer.status === 204) {
      assert.equal(answer.text, '', where)
      const read = this.#operation(method === 'HEAD' ? 'GET' : method, target)
      return assert.ok(
        answer.status === 204 || !read || read.responses?.['304'],
        `a 304 that is not declared: ${where}`,
      )
    }
    assert.equal(answer.headers['content-type'], 'application/json', where)
    if (method === 'HEAD') return assert.equal(answer.text, '', where)
    if (answer.status >= 400) this.#judgeError(answer, where)
    const operation = this.#operation(method, target)
    if (!operation) return
    const declared = operation.responses?.[String(answer.status)]
    assert.ok(declared, `a status that the operation does not declare: ${where}`)
    for (const name of Object.keys(answer.status < 400 ? {} : (declared.headers ?? {}))) {
      assert.ok(answer.headers[name.toLowerCase()], `no ${name}: ${where}`)
    }
    const schema = declared.content?.['application/json']?.schema as Json
    const problems = problemsOf(schema, answer.json, (reference) => this.#resolve(reference))
    assert.deepEqual(problems, [], `a body that its schema refuses: ${where}`)
  }

  #judgeError(answer: Answer, where: string): void {
    const error = answer.json as ErrorBody
    assert.deepEqual(Object.keys(error).sort(), ['code', 'message', 'status'], where)
    assert.equal(error.status, answer.status, where)
    assert.ok(this.#document.components?.schemas?.Error?.properties?.code?.enum?.includes(error.code as Json), where)
    assert.match(error.message, /^\S[^]*[.?!]$/, `a message is a sentence: ${where}`)
  }

  /** Undefined where the document has no operation: an unknown path, or a method that the path does not have. */
  #operation(method: string, target: string): Json | undefined {
    const path = target.split(/[?#]/, 1)[0] as string
    for (const [template, methods] of Object.entries(this.#document.paths as Record<string, Json>)) {
      const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      if (pattern.test(path)) return methods[method.toLowerCase()]
    }
    return undefined
  }

  #resolve(reference: string): Json {
    return reference
      .slice(2)
      .split('/')
      .reduce((part: Json, key) => part[key] as Json, this.#document)
  }
}

/** JSON with every integer exact. */
export function exactJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== 'number' || !context?.source || !/^-?\d+$/.test(context.source)) return value
    return Number.isSafeInteger(value) ? value : BigInt(context.source)
  })
}
