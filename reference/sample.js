import { isJson, singleQuoted, typeScriptLiteral } from './json-text.js'
import { exampleOf, flatten, refName, typeScriptType } from './schema.js'

/** What the samples and the panel start from: required parameters and the example body. */
export function initialValues(operation, resolve) {
  const values = { path: {}, query: {}, header: {}, body: null }
  for (const parameter of operation.parameters) {
    const example = parameter.example ?? Object.values(parameter.examples ?? {})[0]?.value
    const isNeeded = parameter.required === true
    const value = example ?? (isNeeded ? exampleOf(parameter.schema, resolve) : undefined)
    values[parameter.in][parameter.name] = isNeeded && value !== undefined ? asText(value) : ''
  }
  if (operation.body !== null) {
    const example = operation.body.example ?? exampleOf(operation.body.schema, resolve)
    values.body = JSON.stringify(example, null, 2)
  }
  return values
}

/** An integer beyond 2^53 is an object that only JSON can write. */
const asText = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The request that an operation makes with the given values, without its key. */
export function buildRequest(operation, values, baseUrl) {
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (whole, name) => {
    const value = values.path[name] ?? ''
    return value === '' ? whole : encodeURIComponent(value)
  })
  const query = Object.entries(values.query).filter(([, value]) => value !== '')
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query)}`
  const headers = Object.entries(values.header).filter(([, value]) => value !== '')
  const body = values.body === null || values.body.trim() === '' ? null : values.body
  if (body !== null) headers.push(['Content-Type', operation.body.mediaType])
  return { method: operation.method, url: `${baseUrl}${path}${search}`, headers, body }
}

export function curlSample(request) {
  const impliedMethod = request.body === null ? 'GET' : 'POST'
  const lines = [
    `curl ${request.method === impliedMethod ? '' : `-X ${request.method} `}${shell(request.url)}`,
    '-H "Authorization: Bearer $PETSTORE_KEY"',
    ...request.headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
  ]
  if (request.body !== null) lines.push(`-d ${shell(request.body)}`)
  return lines.join(' \\\n  ')
}

const shell = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

export function typeScriptSample(operation, request, resolve) {
  const headers = [
    'Authorization: `Bearer ${process.env.PETSTORE_KEY}`',
    ...request.headers.map(([name, value]) => `${singleQuoted(name)}: ${singleQuoted(value)}`),
  ]
  const options = [
    request.method === 'GET' ? null : `method: ${singleQuoted(request.method)},`,
    headers.length === 1 ? `headers: { ${headers[0]} },` : `headers: {\n    ${headers.join(',\n    ')},\n  },`,
    request.body === null ? null : `body: ${bodyCode(request.body)},`,
  ].filter((option) => option !== null)

  const success = operation.responses.find((response) => response.status.startsWith('2'))
  const { declaration, annotation, variable } = resultType(success, resolve)
  return [
    declaration,
    `const response = await fetch(${singleQuoted(request.url)}, {`,
    ...options.map((option) => `  ${option}`),
    '})',
    'if (!response.ok) throw new Error((await response.json()).message)',
    `const ${variable} = (await response.json()) as ${annotation}`,
  ]
    .filter((line) => line !== null)
    .join('\n')
}

function bodyCode(body) {
  const literal = isJson(body) ? typeScriptLiteral(body, '  ') : null
  return literal === null ? singleQuoted(body) : `JSON.stringify(${literal})`
}

function resultType(response, resolve) {
  if (response?.schema === undefined) return { declaration: null, annotation: 'unknown', variable: 'result' }
  const flat = flatten(response.schema, resolve)
  const isList = flat.type === 'array'
  const name = refName(isList ? flat.items : response.schema)
  const variable = refName(response.schema)?.replace(/^./, (first) => first.toLowerCase()) ?? 'result'
  const type = typeScriptType(isList ? flat.items : response.schema, resolve)
  if (name === null) return { declaration: null, annotation: isList ? `(${type})[]` : type, variable }
  return { declaration: `type ${name} = ${type}\n`, annotation: isList ? `${name}[]` : name, variable }
}
