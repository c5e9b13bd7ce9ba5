/**
 * @import { Access, Operation, Resolve, Schema } from './document.js'
 * @import { SampleRequest } from './sample.js'
 * @typedef {{ name: string, type: string, tag: string }} GoField
 */
import { refName } from './document.js'
import { goodAnswer, resultName } from './sample.js'

/**
 * A whole program, as gofmt would lay it out.
 *
 * @type {(operation: Operation, request: SampleRequest, resolve: Resolve, access: Access) => string}
 */
export function goSample(operation, request, resolve, { variable }) {
  const { method, url, by, origin, body, isUpload } = request
  const headers = [
    ...(by === 'bearer' ? [`"Authorization", "Bearer "+os.Getenv("${variable}")`] : []),
    ...(by === 'session' ? [`"Cookie", os.Getenv("PETSTORE_SESSION")`] : []),
    ...(origin === null ? [] : [`"Origin", ${text(origin)}`]),
    ...request.headers.map(([name, value]) => `${text(name)}, ${text(value)}`),
  ]
  const result = resultType(operation, resolve)
  const sent = body !== null ? 'body' : isUpload ? 'file' : 'nil'
  const main = [
    ...(body === null ? [] : [`body := strings.NewReader(${rawText(body)})`]),
    ...(isUpload ? ['file, err := os.Open("FILE")', ...endIfFailed] : []),
    `request, err := http.NewRequest(${text(method)}, ${text(url)}, ${sent})`,
    ...endIfFailed,
    ...(by === 'session' ? ['// The cookie of your session, as name=value.'] : []),
    ...headers.map((header) => `request.Header.Set(${header})`),
    'response, err := http.DefaultClient.Do(request)',
    ...endIfFailed,
    'defer response.Body.Close()',
    'if response.StatusCode >= 400 {',
    '\tmessage, _ := io.ReadAll(response.Body)',
    '\tlog.Fatal(response.Status, " ", string(message))',
    '}',
    ...(result === null
      ? ['fmt.Println(response.Status)']
      : [
          `var ${result.name} ${result.type}`,
          `if err := json.NewDecoder(response.Body).Decode(&${result.name}); err != nil {`,
          '\tlog.Fatal(err)',
          '}',
          `fmt.Printf("%+v\\n", ${result.name})`,
        ]),
  ]
  const packages = [
    ...(result === null ? [] : ['encoding/json']),
    'fmt',
    'io',
    'log',
    'net/http',
    ...(by === 'nobody' && !isUpload ? [] : ['os']),
    ...(body === null ? [] : ['strings']),
  ]
  return [
    'package main',
    '',
    'import (',
    ...packages.map((name) => `\t"${name}"`),
    ')',
    '',
    ...(result === null ? [] : result.declaration),
    'func main() {',
    ...main.map((line) => `\t${line}`),
    '}',
    '',
  ].join('\n')
}

const endIfFailed = ['if err != nil {', '\tlog.Fatal(err)', '}']

/** @type {(operation: Operation, resolve: Resolve) => { name: string, type: string, declaration: string[] } | null} */
function resultType(operation, resolve) {
  const name = resultName(operation)
  const schema = goodAnswer(operation)?.schema
  if (name === null || schema === undefined) return null
  const { items } = resolve(schema)
  const one = items ?? schema
  const fields = fieldsOf(one, resolve)
  if (fields === null)
    return { name, type: items === undefined ? goType(one, resolve) : `[]${goType(one, resolve)}`, declaration: [] }
  const typeName = refName(one) ?? 'Result'
  return {
    name,
    type: items === undefined ? typeName : `[]${typeName}`,
    declaration: [`type ${typeName} struct {`, ...aligned(fields), '}', ''],
  }
}

/**
 * The fields of an object, or null for what is none, and for one whose names cannot be Go's.
 *
 * @type {(schema: Schema, resolve: Resolve) => GoField[] | null}
 */
function fieldsOf(schema, resolve) {
  const { type, properties, required = [] } = resolve(schema)
  const entries = Object.entries(properties ?? {})
  if (type !== 'object' || entries.length === 0) return null
  const fields = entries.map(([field, property]) => ({
    name: field.replace(/^./, (first) => first.toUpperCase()).replace(/Id(s?)$/, 'ID$1'),
    type: (required.includes(field) ? '' : optional(property, resolve)) + goType(property, resolve),
    tag: `\`json:"${field}"\``,
  }))
  const isGo = fields.every(({ name }) => /^[A-Z]\w*$/.test(name))
  return isGo && new Set(fields.map(({ name }) => name)).size === fields.length ? fields : null
}

/** @type {(property: Schema, resolve: Resolve) => string} */
const optional = (property, resolve) => (/^(?:\*|\[|map|json)/.test(goType(property, resolve)) ? '' : '*')

/** In columns. @type {(fields: GoField[]) => string[]} */
function aligned(fields) {
  const width = (/** @type {'name' | 'type'} */ part) => Math.max(...fields.map((field) => field[part].length))
  return fields.map(({ name, type, tag }) => `\t${name.padEnd(width('name'))} ${type.padEnd(width('type'))} ${tag}`)
}

const SCALARS = /** @type {Record<string, string>} */ ({
  string: 'string',
  integer: 'int64',
  number: 'float64',
  boolean: 'bool',
})

/**
 * Scalars and lists of them have a type; what is deeper stays JSON, to be read when it is needed.
 *
 * @type {(schema: Schema, resolve: Resolve) => string}
 */
function goType(schema, resolve) {
  const { type, items, anyOf, enum: values } = resolve(schema)
  if (anyOf !== undefined || (type === undefined && values === undefined)) return 'json.RawMessage'
  const [first = 'string', ...others] = [type ?? 'string'].flat().filter((one) => one !== 'null')
  const isNullable = [type].flat().includes('null')
  if (items !== undefined) return `[]${goType(items, resolve)}`
  const scalar = others.length > 0 ? undefined : SCALARS[first]
  if (scalar === undefined) return 'json.RawMessage'
  return isNullable ? `*${scalar}` : scalar
}

/**
 * JSON's escapes are Go's, except for halves of a character, which have no bytes.
 *
 * @type {(value: string) => string}
 */
const text = (value) => JSON.stringify(value.toWellFormed())

/** @type {(value: string) => string} */
const rawText = (value) => (/[`\r]/.test(value) ? text(value) : `\`${value.toWellFormed()}\``)
