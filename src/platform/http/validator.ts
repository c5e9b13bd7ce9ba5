import { invalid } from '../errors.ts'
import { refusals, type Schema } from '../schema.ts'

/** A function that returns the value with its type, or refuses it with one message that names every offending field. */
export function validator<Value>(schema: Schema<Value>, subject: string): (value: unknown) => Value {
  return (value) => {
    const refused = refusals(schema, value)
    if (refused.length === 0) return value as Value
    throw invalid(`${subject}: ${refused.join('; ')}.`)
  }
}
