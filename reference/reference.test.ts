import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { format as gofmt } from '@wasm-fmt/gofmt'
import { publishedDocument } from '../scripts/openapi.ts'
import { sampleDocument } from '../test/harness/sample-document.ts'
import { mintKey, mintToken } from '../src/features/keys/format.ts'
import type { InlineSchema, PublishedSchema } from '../src/platform/schema.ts'
import { parseExactly, readDocument } from './document.js'
import { goSample } from './go-sample.js'
import { formatJson, typeScriptLiteral } from './json-text.js'
import { keyProblem } from './key-format.js'
import { pythonSample } from './python-sample.js'
import { buildRequest, curlSample, initialValues, typeScriptSample } from './sample.js'
import { exampleOf, typeName, typeScriptType } from './schema.js'
import { findEntries, searchIndex } from './search-index.js'

const PLATFORM_DOCUMENT = new URL('../openapi.platform.json', import.meta.url)
const BASE = 'https://api.example.test/v1'
const spec = sampleDocument(BASE, '/staging/v1')
const api = readDocument(spec, 'https://docs.example.test/x/openapi.json')

const titles = (question: string) => findEntries(searchIndex(api), question).map((entry) => entry.title)
const requestOf = (id: string, change: (values: ReturnType<typeof initialValues>) => void = () => {}) => {
  const values = initialValues(operationOf(id), api.resolve)
  change(values)
  return buildRequest(operationOf(id), values, BASE)
}

function operationOf(id: string) {
  const found = api.operations.find((operation) => operation.id === id)
  assert.ok(found, id)
  return found
}

test('navigation groups are kept in order, with their tags, even when a group has no operations', () => {
  const shown = api.groups.map(({ name, tags }) => [name, tags.map((tag) => [tag.name, tag.operations.length])])
  assert.deepEqual(shown, [
    ['Store', []],
    ['Pets', [['animals', 4]]],
  ])
})

test('tags without groups, and operations without tags, are still shown', () => {
  const { get } = spec.paths['/pets'] ?? {}
  assert.ok(get)
  const paths = { '/x': { get: { ...get, tags: ['a'] }, post: { ...get, tags: ['new'] }, patch: { ...get, tags: [] } } }
  const tags = [{ name: 'a', description: '', 'x-displayName': 'A' }]
  const { groups } = readDocument({ ...spec, paths, tags, 'x-tagGroups': [] }, 'https://x.test/')
  assert.deepEqual(
    groups.map((group) => group.name),
    ['a', 'new', 'Other'],
  )
})

test('a relative server address is read from the place of the document', () => {
  assert.equal(api.servers[1]?.url, 'https://docs.example.test/staging/v1')
})

test('text of JSON is laid out without changing one value, however large', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(JSON.parse(formatJson(JSON.stringify(value))), JSON.parse(JSON.stringify(value)))
      assert.equal(formatJson(JSON.stringify(value)), JSON.stringify(value, null, 2))
    }),
  )
  assert.equal(formatJson('{"id":9007199254740993}'), '{\n  "id": 9007199254740993\n}')
  assert.equal(formatJson('<html>'), '<html>')
})

test('an example with an integer beyond 2^53 keeps its digits', () => {
  assert.equal(JSON.stringify(parseExactly('{"id":9007199254740993,"x":1.5}')), '{"id":9007199254740993,"x":1.5}')
})

test('a parameter whose example is beyond 2^53 starts with every digit of it', () => {
  const exact = parseExactly('9007199254740993')
  const operation = operationOf('getPet')
  const parameters = operation.parameters.map((parameter) => ({ ...parameter, example: exact }))
  const values = initialValues({ ...operation, parameters }, api.resolve)
  assert.equal(values.path.petId, '9007199254740993')
})

test('a curl sample survives quotes, and names only the placeholder of the key', () => {
  const sample = curlSample(requestOf('createPet'), api.access)
  assert.match(sample, /-d '\{\n {2}"name": "Rex'\\''s"/)
  assert.match(sample, /Bearer \$PETSTORE_KEY/)
  assert.doesNotMatch(curlSample(requestOf('listPets'), api.access), /-X|-d/)
})

test('parameters are put where they belong, encoded, and left out when empty', () => {
  assert.equal(requestOf('getPet', (values) => (values.path.petId = 'a/b c')).url, `${BASE}/pets/a%2Fb%20c`)
  assert.equal(requestOf('listPets').url, `${BASE}/pets`)
  assert.equal(requestOf('listPets', (values) => (values.query.limit = '2')).url, `${BASE}/pets?limit=2`)
})

test('a TypeScript sample declares the type it returns and never rounds a number of its body', () => {
  const sampleOf = (id: string, request = requestOf(id)) =>
    typeScriptSample(operationOf(id), request, api.resolve, api.access)
  const sample = sampleOf('createPet')
  const fields = ['name: string', 'categoryId: number', "status?: 'available' | 'pending' | 'sold'", 'id: number']
  assert.ok(sample.startsWith(`type Pet = {\n  ${fields.join('\n  ')}\n}\n`))
  assert.match(sample, /name: 'Rex\\'s'/)
  assert.match(sample, /as Pet$/)
  assert.match(sampleOf('listPets'), /const pets = .* as Pet\[\]$/)
  assert.equal(typeScriptLiteral('{"id":9007199254740993}', ''), null)
  const large = requestOf('createPet', (values) => (values.body = '{"categoryId":9007199254740993}'))
  assert.match(sampleOf('createPet', large), /body: '\{"categoryId":9007199254740993\}'/)
})

test('search finds operations by name, path and parameter, and schemas by field', () => {
  assert.equal(titles('fetch')[0], 'Fetch one animal')
  assert.deepEqual(titles('/store/orders'), ['List orders'])
  assert.ok(titles('idempotency').includes('Add an animal'))
  assert.ok(titles('categoryid').includes('NewPet'))
  assert.equal(titles('pet')[0], 'Pet')
  assert.deepEqual(titles('no such thing'), [])
})

test('a wrong key is noticed before it is sent: junk, a typing error, a part of one, the other environment', () => {
  const key = mintKey('staging')
  const said = (text: string, serverLabel = 'Staging') => keyProblem(text, { noun: 'key', serverLabel })
  assert.equal(said(key), null)
  assert.deepEqual([said('junk')?.isFinal, said(key.slice(0, -1))?.isFinal], [true, true])
  const mistyped = key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
  assert.match(said(mistyped)?.sentence ?? '', /typing error/)
  assert.match(said(key, 'Production')?.sentence ?? '', /key of Staging/)
  assert.equal(said(key, 'Production')?.isFinal, false)
  assert.match(said(mintToken())?.sentence ?? '', /management interface/)
  assert.equal(keyProblem(mintToken(), { noun: 'token', serverLabel: 'x' }), null)
  assert.match(keyProblem(key, { noun: 'token', serverLabel: 'x' })?.sentence ?? '', /animals interface/)
})

test('both documents are read whole: every schema has a name, an example and a TypeScript type', () => {
  for (const text of [publishedDocument(), readFileSync(PLATFORM_DOCUMENT, 'utf8')]) {
    const { operations, resolve, access } = readDocument(JSON.parse(text), 'https://docs.example.test/')
    for (const operation of operations) {
      const sample = typeScriptSample(
        operation,
        buildRequest(operation, initialValues(operation, resolve), BASE),
        resolve,
        access,
      )
      assert.doesNotMatch(sample, /undefined|\[object/, operation.id)
      for (const { schema } of operation.responses) {
        if (schema === undefined) continue
        assert.doesNotMatch(typeName(schema, resolve), /undefined/, operation.id)
        assert.notEqual(exampleOf(schema, resolve), undefined, operation.id)
      }
    }
  }
})

test('a sample shows the credential that its operation takes', () => {
  const { operations, resolve, access } = readDocument(
    JSON.parse(readFileSync(PLATFORM_DOCUMENT, 'utf8')),
    'https://docs.example.test/',
  )
  const sampleOf = (id: string) => {
    const operation = operations.find((one) => one.id === id)
    assert.ok(operation, id)
    return curlSample(buildRequest(operation, initialValues(operation, resolve), BASE), access)
  }
  assert.match(sampleOf('listDeploys'), /Bearer \$PETSTORE_TOKEN/)
  assert.match(sampleOf('listSessions'), /-b session\.txt/)
  assert.doesNotMatch(sampleOf('signIn'), /Bearer|session\.txt/)
  // A change without a token must say where it comes from.
  assert.match(sampleOf('signIn'), /-H 'Origin: https:\/\/api\.example\.test'/)
  assert.doesNotMatch(sampleOf('createKey') + sampleOf('listSessions'), /Origin/)
})

/** Every operation of both documents; bodies also with quotes, a big integer and what others spell otherwise. */
function everySample(make: (...given: Parameters<typeof goSample>) => string): { id: string; code: string }[] {
  return [publishedDocument(), readFileSync(PLATFORM_DOCUMENT, 'utf8')].flatMap((text) => {
    const { operations, resolve, access } = readDocument(JSON.parse(text), 'https://docs.example.test/')
    return operations.flatMap((operation) => {
      const values = initialValues(operation, resolve)
      const odd = `{"a": "it's \\"\`$x\\n😀", "n": 9007199254740993, "b": [true, null, {}], "c": {"d": -1.5}}`
      const bodies = values.body === null ? [null] : [values.body, odd, 'no JSON `']
      return bodies.map((body) => {
        const request = buildRequest(operation, { ...values, body }, BASE)
        return { id: operation.id, code: make(operation, request, resolve, access) }
      })
    })
  })
}

test('every Python sample is Python, and keeps the value of its body', () => {
  const samples = everySample((operation, request, _, access) => pythonSample(operation, request, access))
  const judge = `
import ast, json, sys
for sample in json.load(sys.stdin):
    try:
        ast.parse(sample["code"])
    except SyntaxError as error:
        print(sample["id"], error)`
  const { stdout, stderr } = spawnSync('python3', ['-c', judge], { input: JSON.stringify(samples), encoding: 'utf8' })
  assert.deepEqual([stdout, stderr], ['', ''])
  const odd = samples.find(({ id, code }) => id === 'createPet' && code.includes('9007199254740993'))
  const read = spawnSync(
    'python3',
    ['-c', `import json\nprint(json.dumps(${/json\.dumps\(([^]*?)\)\.encode/.exec(odd?.code ?? '')?.[1]}))`],
    {
      encoding: 'utf8',
    },
  )
  assert.equal(
    read.stdout,
    '{"a": "it\'s \\"`$x\\n\\ud83d\\ude00", "n": 9007199254740993, "b": [true, null, {}], "c": {"d": -1.5}}\n',
  )
})

test('every Go sample is as gofmt would write it, and imports exactly what it uses', () => {
  for (const { id, code } of everySample(goSample)) {
    assert.equal(gofmt(code), code, id)
    const [, imported = '', rest = ''] = /import \(\n([^)]*)\)([^]*)/.exec(code) ?? []
    const names = [...imported.matchAll(/(\w+)"/g)].map(([, name]) => name as string)
    const used = new Set(
      [...rest.replaceAll(/`[^`]*`|"(?:[^"\\]|\\.)*"/g, '').matchAll(/\b([a-z]+)\.[A-Z]/g)].map(([, name]) => name),
    )
    for (const own of ['request', 'response', 'err']) used.delete(own)
    assert.deepEqual(names.toSorted(), [...used].toSorted(), id)
  }
})

test('what can be null, one of several things or anything is said so', () => {
  const resolve = (schema: PublishedSchema) => schema as InlineSchema
  const schema: InlineSchema = {
    anyOf: [{ type: 'object', required: ['a'], properties: { a: { type: ['integer', 'null'] } } }, { type: 'null' }],
  }
  assert.equal(typeName(schema, resolve), 'object or null')
  assert.equal(typeScriptType(schema, resolve), '{\n  a: number | null\n} | null')
  assert.deepEqual(exampleOf(schema, resolve), { a: 1 })
  assert.equal(typeName({ enum: ['a', null], type: ['string', 'null'] }, resolve), 'string or null')
  assert.equal(typeScriptType({ type: 'object', additionalProperties: { const: 'x' } }, resolve), "Record<string, 'x'>")
})

test('a schema of the documents holds only keywords that its type names', () => {
  const named: Record<keyof InlineSchema, true> = {
    type: true,
    description: true,
    format: true,
    pattern: true,
    minLength: true,
    maxLength: true,
    minimum: true,
    maximum: true,
    minItems: true,
    maxItems: true,
    minProperties: true,
    enum: true,
    const: true,
    anyOf: true,
    additionalProperties: true,
    items: true,
    properties: true,
    required: true,
    default: true,
    examples: true,
  }
  const documents = [publishedDocument(), readFileSync(PLATFORM_DOCUMENT, 'utf8')]
  const schemas = documents.flatMap((text): PublishedSchema[] => {
    const { components, paths } = JSON.parse(text) as typeof spec
    const parameters = Object.values(paths).flatMap((item) => Object.values(item).flatMap((one) => one.parameters))
    return [...Object.values(components.schemas), ...parameters.map((one) => one.schema)]
  })
  for (const schema of schemas) {
    if ('$ref' in schema) continue
    assert.deepEqual(
      Object.keys(schema).filter((keyword) => !(keyword in named)),
      [],
    )
    schemas.push(...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []))
    for (const inner of [schema.items, schema.additionalProperties]) if (inner) schemas.push(inner)
  }
})
