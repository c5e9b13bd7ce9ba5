/** A small OpenAPI document with everything that the reference has to show, for the tests. */
export function sampleDocument(productionUrl: string, stagingUrl: string): string {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Petstore', version: '1.0.0', description: 'A store of **animals**.\n\n- `Link` headers' },
    servers: [
      { url: productionUrl, description: 'Production' },
      { url: stagingUrl, description: 'Staging' },
    ],
    security: [{ bearer: [] }],
    tags: [{ name: 'Store' }, { name: 'Pets' }, { name: 'animals', 'x-parent': 'Pets' }],
    'x-tagGroups': [
      { name: 'Store', tags: [] },
      { name: 'Pets', tags: ['animals'] },
    ],
    paths: {
      '/pets': {
        get: operation('listPets', 'List animals', {
          parameters: [parameter('query', 'limit', { type: 'integer', minimum: 1, maximum: 100, default: 20 })],
          responses: { 200: answer(ref('Pets'), [PET]), 401: answer(ref('Error')) },
        }),
        post: operation('createPet', 'Add an animal', {
          parameters: [parameter('header', 'Idempotency-Key', { type: 'string' })],
          requestBody: { required: true, ...body(ref('NewPet'), { name: "Rex's", categoryId: 1 }) },
          responses: { 201: answer(ref('Pet'), PET) },
        }),
      },
      '/pets/{petId}': {
        get: operation('getPet', 'Fetch one animal', {
          deprecated: true,
          'x-deprecated-sunset': '2030-12-05',
          'x-deprecated-replacement': 'Use `GET /pets` with the `status` filter instead.',
          parameters: [{ ...parameter('path', 'petId', { ...INT64, examples: [1] }), required: true }],
          responses: { 200: answer(ref('Pet'), PET) },
        }),
      },
      '/store/orders': {
        get: operation('listOrders', 'List orders', {
          'x-stability': 'experimental',
          'x-hideTryItPanel': true,
          responses: { 200: answer({ type: 'array', items: {} }, []) },
        }),
      },
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
      schemas: {
        PetStatus: { type: 'string', enum: ['available', 'pending', 'sold'], description: 'Availability.' },
        NewPet: { type: 'object', required: ['name', 'categoryId'], properties: NEW_PET },
        Pet: { allOf: [ref('NewPet'), { type: 'object', required: ['id'], properties: { id: INT64 } }] },
        Pets: { type: 'array', items: ref('Pet') },
        Error: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
      },
    },
  }
  return JSON.stringify(document)
}

const PET = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }
const INT64 = { type: 'integer', format: 'int64', description: 'An exact integer.' }
const NEW_PET = { name: { type: 'string', minLength: 1, maxLength: 255 }, categoryId: INT64, status: ref('PetStatus') }

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}

function body(schema: object, example?: unknown) {
  return { content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } }
}

function answer(schema: object, example?: unknown) {
  const headers = { 'X-Request-Id': { description: 'For support.' } }
  return { description: 'An answer.', headers, ...body(schema, example) }
}

function parameter(place: string, name: string, schema: object) {
  return { name, in: place, description: `The ${name}.`, schema }
}

function operation(operationId: string, summary: string, rest: object) {
  return { operationId, summary, tags: ['animals'], description: `${summary}.`, 'x-stability': 'stable', ...rest }
}
