import { inWords } from '../line/choices.ts'

interface FieldSchema {
  type: 'string' | 'integer'
  description: string
  enum?: string[]
  minLength?: number
  maxLength?: number
  pattern?: string
}

/** An animal to add, as the document of the server describes it. */
export interface AnimalSchema {
  properties: Record<string, FieldSchema>
  required: string[]
}

interface OpenApi {
  components: { schemas: Record<string, unknown> }
}

/** The server's own rules, so that a file is judged whole before anything of it is stored. */
export async function animalSchemaOf(origin: string): Promise<AnimalSchema> {
  const { components } = (await (await fetch(`${origin}/v1/openapi.json`)).json()) as OpenApi
  const { properties, required } = components.schemas.NewPet as {
    properties: Record<string, FieldSchema | { $ref: string }>
    required: string[]
  }
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    '$ref' in field ? components.schemas[field.$ref.split('/').at(-1) as string] : field,
  ])
  return { properties: Object.fromEntries(fields) as AnimalSchema['properties'], required }
}

/** Why the server would refuse the animal; undefined where it would not. */
export function refusalOf({ properties, required }: AnimalSchema, animal: Record<string, unknown>): string | undefined {
  for (const [name, field] of Object.entries(properties)) {
    const value = animal[name]
    const why = value === undefined ? required.includes(name) && 'is missing' : problemOf(field, value)
    if (why) return `${name} ${why}`
  }
  return undefined
}

function problemOf(field: FieldSchema, value: unknown): string | undefined {
  if (field.type === 'integer') return isInteger(value) ? undefined : 'must be an integer of 64 bits'
  const { enum: choices, minLength = 0, maxLength = Infinity, pattern = '', description } = field
  if (typeof value !== 'string') return 'must be a text'
  if (choices) return choices.includes(value) ? undefined : `must be ${inWords(choices)}`
  const { length } = [...value]
  if (length < minLength || length > maxLength) return `must be ${minLength} to ${maxLength} characters long`
  const isRight = new RegExp(pattern, 'u').test(value) && !/\p{Surrogate}/u.test(value)
  return isRight ? undefined : `is refused (${description})`
}

/** What has more digits than a number holds has been read as a bigint. */
const isInteger = (value: unknown) =>
  typeof value === 'bigint' ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value)
