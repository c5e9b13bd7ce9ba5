import { readFileSync } from 'node:fs'
import { parseExact } from '../../client/src/int64.ts'
import { problemsOf } from '../interface/json-schema.ts'

type Json = Record<string, unknown>

interface ResponseObject {
  content?: Record<string, { schema: Json }>
}

interface Operation {
  responses: Record<string, ResponseObject | { $ref: string }>
}

const FILE = new URL('../../openapi.platform.json', import.meta.url)

const document = JSON.parse(readFileSync(FILE, 'utf8')) as { paths: Record<string, Record<string, Operation>> }

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    // A path with more words than parameters is the better match: `/deploys/archive` before `/deploys/{deploy}`.
    words: path.replaceAll(/\{\w+\}/g, '').length,
    pattern: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    operation,
  })),
)

/** What the transport says of any request, whichever operation it was for. */
const OF_ANY_REQUEST = new Set([405, 408, 414, 421, 431])

/** In what the answer is not what the management interface's document promises; `path` is below `/platform/v1`. */
export function undocumented(
  method: string,
  path: string,
  { status, text, json }: { status: number; text: string; json: unknown },
): string[] {
  const asked = `${method} ${path.replace(/^https?:\/\/[^/]+\/platform\/v1/, '').split('?', 1)[0]}`
  const [found] = operations
    .filter(({ pattern }) => pattern.test(asked))
    .toSorted((one, other) => other.words - one.words)
  if (!found)
    return OF_ANY_REQUEST.has(status) || !/^(?:GET|POST|PUT|PATCH|DELETE) /.test(asked) || status >= 400
      ? []
      : [missing(asked)]
  const response = found.operation.responses[status]
  if (!response) return OF_ANY_REQUEST.has(status) ? [] : [undeclared(found.name, status)]
  const { content } = '$ref' in response ? (resolve(response.$ref) as ResponseObject) : response
  const schema = content?.['application/json']?.schema
  if (!schema)
    return json === undefined ? [] : [`${found.name} answered ${status} with a body, and the document has none.`]
  return problemsOf(schema, parseExact(text), resolve, '$', true).map(
    (problem) => `${found.name} answered ${status}: ${problem}`,
  )
}

const missing = (asked: string) => `${asked} is not in openapi.platform.json: write it anew with npm run openapi.`

const undeclared = (name: string, status: number) =>
  `${name} answered ${status}, which openapi.platform.json does not have: ` +
  `say it in the route (\`errors\` or \`answers\`), then run npm run openapi.`

function resolve(reference: string): Json {
  return reference
    .slice(2)
    .split('/')
    .reduce<Json>((part, key) => part[key] as Json, document as unknown as Json)
}
