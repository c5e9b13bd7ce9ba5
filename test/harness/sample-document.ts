import type { OpenApiDocument } from '../../src/platform/http/openapi/format.ts'
import type { InlineSchema, PublishedSchema } from '../../src/platform/schema.ts'

type Operation = NonNullable<OpenApiDocument['paths'][string]['get']>
type Parameter = Operation['parameters'][number]
type Response = Operation['responses'][string]

/** A small OpenAPI document with everything that the reference has to show, for the tests. */
export function sampleDocument(productionUrl: string, stagingUrl: string): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Petstore',
      version: '1.0.0',
      summary: 'Animals.',
      description: 'A store of **animals**.\n\n- `Link` headers',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: productionUrl, description: 'Production' },
      { url: stagingUrl, description: 'Staging' },
    ],
    security: [{ bearerAuth: [] }],
    tags: [
      { name: 'Store', description: '', 'x-displayName': 'Store' },
      { name: 'Pets', description: '', 'x-displayName': 'Pets' },
      { name: 'animals', description: '', 'x-parent': 'Pets' },
    ],
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
          parameters: [parameter('path', 'petId', { ...INT64, examples: [1] })],
          responses: { 200: answer(ref('Pet'), PET) },
        }),
      },
      '/store/orders': {
        get: operation('listOrders', 'List orders', {
          'x-stability': 'experimental',
          'x-hideTryItPanel': true,
          responses: { 200: answer({ type: 'array', items: { type: 'object' } }, []) },
        }),
      },
    },
    components: {
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer', description: 'An API key.' } },
      schemas: {
        PetStatus: { type: 'string', enum: ['available', 'pending', 'sold'], description: 'Availability.' },
        NewPet: { type: 'object', required: ['name', 'categoryId'], properties: NEW_PET },
        Pet: { type: 'object', required: ['name', 'categoryId', 'id'], properties: { ...NEW_PET, id: INT64 } },
        Pets: { type: 'array', items: ref('Pet') },
        Error: { type: 'object', required: ['code'], properties: { code: { type: 'string' } } },
      },
      headers: { 'X-Request-Id': { description: 'For support.' } },
    },
  }
}

const PET = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }
const INT64: InlineSchema = { type: 'integer', format: 'int64', description: 'An exact integer.' }
const NEW_PET: Record<string, PublishedSchema> = {
  name: { type: 'string', minLength: 1, maxLength: 255 },
  categoryId: INT64,
  status: ref('PetStatus'),
}

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}

function body(schema: PublishedSchema, example?: unknown) {
  return { content: { 'application/json': { schema, example } } }
}

function answer(schema: PublishedSchema, example?: unknown): Response {
  const headers = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
  return { description: 'An answer.', headers, ...body(schema, example) }
}

function parameter(place: Parameter['in'], name: string, schema: PublishedSchema): Parameter {
  return { name, in: place, required: place === 'path', description: `The ${name}.`, schema }
}

function operation(
  operationId: string,
  summary: string,
  rest: Partial<Operation> & Pick<Operation, 'responses'>,
): Operation {
  return {
    operationId,
    summary,
    description: `${summary}.`,
    tags: ['animals'],
    'x-stability': 'stable',
    'x-stability-level': 'stable',
    'x-scalar-stability': 'stable',
    'x-fern-availability': 'generally-available',
    'x-badges': [],
    security: [{ bearerAuth: [] }],
    parameters: [],
    ...rest,
  }
}
