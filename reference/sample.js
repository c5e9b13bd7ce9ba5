/**
 * @import { Access, ApiResponse, Operation, Resolve } from './document.js'
 *
 * @typedef {Record<'path' | 'query' | 'header', Record<string, string>> & { body: string | null }} Values
 * @typedef {{
 *   method: string,
 *   url: string,
 *   headers: [string, string][],
 *   body: string | null,
 *   isUpload: boolean,
 *   by: 'bearer' | 'session' | 'nobody',
 *   origin: string | null,
 * }} SampleRequest
 */
import { refName } from './document.js'
import { isJson, singleQuoted, typeScriptLiteral } from './json-text.js'
import { exampleOf, typeScriptType } from './schema.js'

/**
 * What the samples and the panel start from: required parameters and the example body.
 *
 * @type {(operation: Operation, resolve: Resolve) => Values}
 */
export function initialValues(operation, resolve) {
  /** @type {Values} */
  const values = { path: {}, query: {}, header: {}, body: null }
  for (const parameter of operation.parameters) {
    const { required, example, schema } = parameter
    values[parameter.in][parameter.name] = required ? asText(example ?? exampleOf(schema, resolve)) : ''
  }
  if (operation.body !== null) {
    const example = operation.body.example ?? exampleOf(operation.body.schema, resolve)
    values.body = JSON.stringify(example, null, 2)
  }
  return values
}

/**
 * An integer beyond 2^53 is an object that only JSON can write.
 *
 * @type {(value: unknown) => string}
 */
const asText = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * The request that an operation makes with the given values, without its key.
 *
 * @type {(operation: Operation, values: Values, baseUrl: string) => SampleRequest}
 */
export function buildRequest(operation, values, baseUrl) {
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (whole, name) => {
    const value = values.path[name] ?? ''
    return value === '' ? whole : encodeURIComponent(value)
  })
  const query = Object.entries(values.query).filter(([, value]) => value !== '')
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query)}`
  const headers = Object.entries(values.header).filter(([, value]) => value !== '')
  const body = values.body === null || values.body.trim() === '' ? null : values.body
  if (body !== null) headers.push(['Content-Type', 'application/json'])
  const { method, isUpload, isOpen, isForBearers } = operation
  const by = isOpen ? 'nobody' : isForBearers ? 'bearer' : 'session'
  if (isUpload) headers.push(['Content-Type', 'application/octet-stream'])
  // Browsers say by themselves where a change comes from; of others without a key the service wants to hear it.
  const origin = by === 'bearer' || method === 'GET' ? null : new URL(baseUrl).origin
  return { method, url: `${baseUrl}${path}${search}`, headers, body, isUpload, by, origin }
}

/** @type {(request: SampleRequest, access: Access) => string} */
export function curlSample(request, { variable }) {
  const impliedMethod = request.body === null && !request.isUpload ? 'GET' : 'POST'
  const lines = [
    `curl ${request.method === impliedMethod ? '' : `-X ${request.method} `}${shell(request.url)}`,
    ...{ bearer: [`-H "Authorization: Bearer $${variable}"`], session: ['-b session.txt'], nobody: [] }[request.by],
    ...(request.origin === null ? [] : [`-H ${shell(`Origin: ${request.origin}`)}`]),
    ...request.headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
  ]
  if (request.body !== null) lines.push(`-d ${shell(request.body)}`)
  if (request.isUpload) lines.push('--data-binary @FILE')
  return lines.join(' \\\n  ')
}

/** @type {(text: string) => string} */
const shell = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** @type {(operation: Operation, request: SampleRequest, resolve: Resolve, access: Access) => string} */
export function typeScriptSample(operation, request, resolve, access) {
  const headers = [
    ...(request.by === 'bearer' ? [`Authorization: \`Bearer \${process.env.${access.variable}}\``] : []),
    ...request.headers.map(([name, value]) => `${singleQuoted(name)}: ${singleQuoted(value)}`),
  ]
  const options = [
    request.method === 'GET' ? null : `method: ${singleQuoted(request.method)},`,
    headersCode(headers),
    request.by === 'session' ? "credentials: 'include'," : null,
    request.body === null ? null : `body: ${bodyCode(request.body)},`,
    request.isUpload ? "body: await openAsBlob('FILE')," : null,
  ].filter((option) => option !== null)

  const success = goodAnswer(operation)
  const { declaration, annotation } = resultType(success, resolve)
  const name = resultName(operation)
  return [
    request.isUpload ? "import { openAsBlob } from 'node:fs'\n" : null,
    declaration,
    `const response = await fetch(${singleQuoted(request.url)}, {`,
    ...options.map((option) => `  ${option}`),
    '})',
    'if (!response.ok) throw new Error((await response.json()).message)',
    name === null ? null : `const ${name} = (await response.json()) as ${annotation}`,
  ]
    .filter((line) => line !== null)
    .join('\n')
}

/** @type {(operation: Operation) => ApiResponse | undefined} */
export const goodAnswer = ({ responses }) => responses.find((response) => response.status.startsWith('2'))

/**
 * What a sample calls the answer, or null where there is none to read.
 *
 * @type {(operation: Operation) => string | null}
 */
export function resultName(operation) {
  const schema = goodAnswer(operation)?.schema
  if (schema === undefined) return null
  return refName(schema)?.replace(/^./, (first) => first.toLowerCase()) ?? 'result'
}

/** @type {(headers: string[]) => string | null} */
function headersCode(headers) {
  if (headers.length === 0) return null
  return headers.length === 1 ? `headers: { ${headers[0]} },` : `headers: {\n    ${headers.join(',\n    ')},\n  },`
}

/** @type {(body: string) => string} */
function bodyCode(body) {
  const literal = isJson(body) ? typeScriptLiteral(body, '  ') : null
  return literal === null ? singleQuoted(body) : `JSON.stringify(${literal})`
}

/**
 * @param {ApiResponse | undefined} response
 * @param {Resolve} resolve
 */
function resultType(response, resolve) {
  if (response?.schema === undefined) return { declaration: null, annotation: 'unknown' }
  const { items } = resolve(response.schema)
  const one = items ?? response.schema
  const name = refName(one)
  const type = typeScriptType(one, resolve)
  if (name === null) return { declaration: null, annotation: items === undefined ? type : `(${type})[]` }
  return { declaration: `type ${name} = ${type}\n`, annotation: items === undefined ? name : `${name}[]` }
}
