import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import * as Format from 'typebox/format'
import { invalid } from '../errors.ts'
import { type Int64, isInt64 } from '../int64.ts'

/**
 * Schemas are JSON Schema and are published as they validate. Two additions are private:
 * `rule`, the sentence that a person reads when a value is refused, and the type name `bigint`,
 * the form that an integer beyond 2^53 takes in memory.
 */
export function int64(options: { description: string; minimum?: number; examples?: Int64[] }) {
  const schema = Type.Unsafe<Int64>({
    type: ['integer', 'bigint'],
    format: 'int64',
    rule: 'must be an integer from -9223372036854775808 to 9223372036854775807',
    ...options,
  })
  return Type.Refine(schema, isInt64)
}

// Control characters break terminals and logs; a lone surrogate cannot be sent back as UTF-8.
Format.Set('printable', (text) => /\S/.test(text) && !/[\p{Cc}\p{Cs}]/u.test(text))

interface SchemaFields {
  rule?: string
  properties?: Record<string, SchemaFields>
  required?: string[]
}

/** Compiles a schema into a function that returns the value or refuses it, naming every offending field. */
export function validator<Schema extends TSchema>(schema: Schema, subject: string): (value: unknown) => Static<Schema> {
  const compiled = Compile(schema)
  const fields = (schema as SchemaFields).properties ?? {}
  return (value) => {
    if (compiled.Check(value)) return value as Static<Schema>
    throw invalid(`${subject}: ${explain(compiled.Errors(value), fields).join('; ')}.`)
  }
}

interface SchemaError {
  keyword: string
  instancePath: string
  params: object
  message: string
}

function explain(errors: SchemaError[], fields: Record<string, SchemaFields>): string[] {
  const sentences = new Map<string, string>()
  for (const error of errors) {
    if (error.keyword === 'required') {
      const { requiredProperties } = error.params as { requiredProperties: string[] }
      for (const name of requiredProperties) sentences.set(name, `${name} is required and ${rule(fields[name])}`)
      continue
    }
    const [, name] = error.instancePath.split('/')
    if (name === undefined || name === '') sentences.set('', 'it must be a JSON object')
    else if (!sentences.has(name)) sentences.set(name, `${name} ${fields[name]?.rule ?? error.message}`)
  }
  return [...sentences.values()]
}

const rule = (field: SchemaFields | undefined) => field?.rule ?? 'must be present'

/** The schema as the OpenAPI document shows it. */
export function published(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(published)
  if (typeof schema !== 'object' || schema === null) return schema
  const shown: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'rule' || key.startsWith('~')) continue
    shown[key] = key === 'type' && Array.isArray(value) && value.includes('bigint') ? 'integer' : published(value)
  }
  return shown
}
