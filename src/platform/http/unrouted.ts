import { PetstoreError } from '../errors.ts'
import type { Answer, Operation } from './operation.ts'

const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, If-None-Match, X-Request-Id'

/** No operation at this path with this method: a preflight, a wrong method, or nothing at all. */
export function answerUnrouted(parts: {
  operations: readonly Operation[]
  documents: Record<string, Answer>
  documentationUrl: string
}): (method: string, url: string) => Answer | PetstoreError {
  const paths = allowedMethods(parts)

  return (method, url) => {
    const path = url.split('?', 1)[0] as string
    const allowed = paths.find((entry) => entry.pattern.test(path))?.methods
    if (allowed === undefined) {
      const message = `There is no operation at ${shortened(path)}. The paths are listed in ${parts.documentationUrl}.`
      return new PetstoreError('not_found', message)
    }
    if (method !== 'OPTIONS') {
      const message = `${method} is not possible here. Allowed: ${allowed}.`
      return new PetstoreError('method_not_allowed', message, { headers: { Allow: allowed } })
    }
    const headers = ['Allow', allowed, 'Access-Control-Allow-Methods', allowed]
    headers.push('Access-Control-Allow-Headers', REQUEST_HEADERS, 'Access-Control-Max-Age', '86400')
    return { status: 204, body: '', headers }
  }
}

function allowedMethods(parts: { operations: readonly Operation[]; documents: Record<string, Answer> }) {
  const byPath = new Map<string, string[]>()
  for (const { contract } of parts.operations) {
    byPath.set(contract.path, [...(byPath.get(contract.path) ?? []), contract.method])
  }
  for (const path of Object.keys(parts.documents)) byPath.set(path, ['GET'])
  return [...byPath].map(([path, methods]) => ({
    pattern: new RegExp(`^/v1${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    methods: [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', '),
  }))
}

const shortened = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
