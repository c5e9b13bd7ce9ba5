/**
 * @import { Access, Operation } from './document.js'
 * @import { SampleRequest } from './sample.js'
 */
import { isJson, jsonTokens, layOut } from './json-text.js'
import { resultName } from './sample.js'

/**
 * With the standard library alone, so that it runs as it is.
 *
 * @type {(operation: Operation, request: SampleRequest, access: Access) => string}
 */
export function pythonSample(operation, request, { variable }) {
  const { method, url, by, origin, body, isUpload } = request
  const headers = [
    ...(by === 'bearer' ? [`"Authorization": f"Bearer {os.environ['${variable}']}"`] : []),
    ...(by === 'session' ? [`"Cookie": os.environ["PETSTORE_SESSION"]`] : []),
    ...(origin === null ? [] : [`"Origin": ${text(origin)}`]),
    ...request.headers.map(([name, value]) => `${text(name)}: ${text(value)}`),
  ]
  const given = [
    text(url),
    ...(method === 'GET' ? [] : [`method=${text(method)}`]),
    ...(headers.length === 0 ? [] : [`headers={\n        ${headers.join(',\n        ')},\n    }`]),
    ...(body === null ? [] : [`data=${data(body)}`]),
    ...(isUpload ? ['data=open("FILE", "rb")'] : []),
  ]
  const name = resultName(operation)
  return [
    'import json',
    ...(by === 'nobody' ? [] : ['import os']),
    'from urllib.error import HTTPError',
    'from urllib.request import Request, urlopen',
    '',
    ...(by === 'session' ? ['# The cookie of your session, as name=value.'] : []),
    `request = Request(\n    ${given.join(',\n    ')},\n)`,
    'try:',
    '    with urlopen(request) as response:',
    name === null ? '        print(response.status)' : `        ${name} = json.load(response)`,
    'except HTTPError as error:',
    '    raise SystemExit(json.load(error)["message"])',
    ...(name === null ? [] : [`print(${name})`]),
  ].join('\n')
}

/** @type {(body: string) => string} */
const data = (body) => (isJson(body) ? `json.dumps(${literal(body)}).encode()` : `${text(body)}.encode()`)

/** Python's own names of the values that JSON writes otherwise. */
const NAMES = /** @type {Record<string, string>} */ ({ true: 'True', false: 'False', null: 'None' })

/**
 * The value of JSON text as Python writes it; integers of any size are exact there.
 *
 * @type {(json: string) => string}
 */
function literal(json) {
  return layOut(jsonTokens(json))
    .map(({ kind, text: written }) => {
      if (kind === 'space') return written.replace(/^\n( *)$/, (_, indent) => `\n    ${indent}${indent}`)
      if (kind === 'literal') return NAMES[written] ?? written
      return kind === 'string' || kind === 'key' ? text(JSON.parse(written)) : written
    })
    .join('')
}

/**
 * JSON's escapes are Python's, except for halves of a character, which have no bytes.
 *
 * @type {(value: string) => string}
 */
const text = (value) => JSON.stringify(value.toWellFormed())
