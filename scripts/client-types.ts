import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Writes client/src/types.ts from openapi.json, or with `--check` says whether it is up to date. */
const FILE = fileURLToPath(new URL('../client/src/types.ts', import.meta.url))
const DOCUMENT = fileURLToPath(new URL('../openapi.json', import.meta.url))

interface JsonSchema {
  $ref?: string
  type?: string
  format?: string
  description?: string
  enum?: string[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
}

export function clientTypes(document = readFileSync(DOCUMENT, 'utf8')): string {
  const { components, servers } = JSON.parse(document) as {
    components: { schemas: Record<string, JsonSchema> }
    servers: { url: string; description: string }[]
  }
  const parts = [
    '// Written by scripts/client-types.ts from openapi.json: change the contract, not this file.\n',
    '/** A 64-bit integer: a `number` where a number holds it exactly, a `bigint` beyond 2^53. */',
    'export type Int64 = number | bigint\n',
    `export const SERVERS = {\n${servers.map(addressOf).join('')}} as const\n`,
    ...Object.entries(components.schemas).map(([name, schema]) =>
      declaration(name === 'Error' ? 'ErrorBody' : name, schema),
    ),
  ]
  return parts.join('\n')
}

const addressOf = ({ url, description }: { url: string; description: string }) =>
  `  ${description.toLowerCase()}: '${url}',\n`

function declaration(name: string, schema: JsonSchema): string {
  const comment = schema.description ? `/** ${schema.description} */\n` : ''
  if (!schema.properties) return `${comment}export type ${name} = ${typeOf(schema)}\n`
  const fields = Object.entries(schema.properties).map(([field, fieldSchema]) => {
    const optional = schema.required?.includes(field) ? '' : '?'
    const described = fieldSchema.description ? `  /** ${fieldSchema.description} */\n` : ''
    return `${described}  ${field}${optional}: ${typeOf(fieldSchema)}\n`
  })
  return `${comment}export interface ${name} {\n${fields.join('')}}\n`
}

function typeOf(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) as string
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ')
  if (schema.type === 'array') return `${typeOf(schema.items ?? {})}[]`
  if (schema.type === 'integer') return schema.format === 'int64' ? 'Int64' : 'number'
  return schema.type ?? 'unknown'
}

if (import.meta.main) {
  const types = clientTypes()
  if (!process.argv.includes('--check')) writeFileSync(FILE, types)
  else if (readFileSync(FILE, 'utf8') !== types) {
    console.error('client/src/types.ts is not what openapi.json says. Write it anew with: npm run client:types')
    process.exitCode = 1
  }
}
