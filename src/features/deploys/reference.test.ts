import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { sampleDocument } from '../../../test/harness/sample-document.ts'

const part = (name: string) => import(new URL(`../../../reference/${name}`, import.meta.url).href)
const { readDocument, parseExactly } = await part('document.js')
const { formatJson, typeScriptLiteral } = await part('json-text.js')
const { buildRequest, curlSample, initialValues, typeScriptSample } = await part('sample.js')
const { findEntries, searchIndex } = await part('search-index.js')
const { keyMismatch } = await part('session.js')

const api = readDocument(
  parseExactly(sampleDocument('https://api.example.test/v1', '/staging/v1')),
  'https://docs.example.test/x/openapi.json',
)
const operationOf = (id: string) => api.operations.find((operation: { id: string }) => operation.id === id)
const titles = (question: string) => findEntries(searchIndex(api), question).map((entry: any) => entry.title)
const requestOf = (id: string, change: (values: any) => void = () => {}) => {
  const values = initialValues(operationOf(id), api.resolve)
  change(values)
  return buildRequest(operationOf(id), values, api.servers[0].url)
}

test('navigation groups are kept in order, with their tags, even when a group has no operations', () => {
  const [store, pets] = api.groups
  assert.deepEqual([store.name, store.tags], ['Store', []])
  assert.deepEqual([pets.name, pets.tags.length], ['Pets', 1])
  assert.deepEqual([pets.tags[0].name, pets.tags[0].operations.length], ['animals', 4])
})

test('tags without groups, and operations without tags, are still shown', () => {
  const spec = { tags: [{ name: 'a' }], paths: { '/x': { get: { tags: ['a'] }, post: { tags: ['new'] }, put: {} } } }
  const names = readDocument(spec, 'https://x.test/').groups.map((group: any) => group.name)
  assert.deepEqual(names, ['a', 'new', 'Other'])
})

test('a relative server address is read from the place of the document', () => {
  assert.equal(api.servers[1].url, 'https://docs.example.test/staging/v1')
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
  const parameters = operation.parameters.map((parameter: object) => ({ ...parameter, example: exact }))
  const values = initialValues({ ...operation, parameters }, api.resolve)
  assert.equal(values.path.petId, '9007199254740993')
})

test('a curl sample survives quotes, and names only the placeholder of the key', () => {
  const sample = curlSample(requestOf('createPet'))
  assert.match(sample, /-d '\{\n {2}"name": "Rex'\\''s"/)
  assert.match(sample, /Bearer \$PETSTORE_KEY/)
  assert.doesNotMatch(curlSample(requestOf('listPets')), /-X|-d/)
})

test('parameters are put where they belong, encoded, and left out when empty', () => {
  const base = 'https://api.example.test/v1'
  assert.equal(requestOf('getPet', (values) => (values.path.petId = 'a/b c')).url, `${base}/pets/a%2Fb%20c`)
  assert.equal(requestOf('listPets').url, `${base}/pets`)
  assert.equal(requestOf('listPets', (values) => (values.query.limit = '2')).url, `${base}/pets?limit=2`)
})

test('a TypeScript sample declares the type it returns and never rounds a number of its body', () => {
  const sampleOf = (id: string, request = requestOf(id)) => typeScriptSample(operationOf(id), request, api.resolve)
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

test('a key of the other environment is noticed before it is sent', () => {
  assert.match(keyMismatch('ps_test_x', 'Production'), /key of Staging/)
  assert.equal(keyMismatch('ps_live_x', 'Production'), null)
  assert.equal(keyMismatch('something', 'Production'), null)
})
