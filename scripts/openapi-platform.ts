import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createGenerator } from 'ts-json-schema-generator'
import { documentJson } from '../src/platform/http/openapi/json.ts'
import type { InlineSchema, ObjectSchema, PublishedSchema } from '../src/platform/schema.ts'
import { type ClientAnswers, platformDocument } from '../src/platform-api/openapi/document.ts'
import { type DashboardRouteNeeds, dashboardRoutes } from '../src/platform-api/route-table.ts'
import type { DashboardRoute } from '../src/platform-api/route.ts'

const ROOT = new URL('../', import.meta.url)
const place = (path: string) => fileURLToPath(new URL(path, ROOT))

export const PLATFORM_OPENAPI_FILE = place('openapi.platform.json')

/** The document as it is checked in. Every running service serves the same one with its own address. */
export function publishedPlatformDocument(): string {
  const routes = dashboardRoutes({} as DashboardRouteNeeds)
  const document = platformDocument(routes, clientAnswers(routes), 'https://api.petstore.example/platform/v1')
  return `${documentJson(document, 2)}\n`
}

type Json = Record<string, unknown>

/** The types of the answers as JSON Schema: what people get is what the client's types promise. */
function clientAnswers(routes: readonly DashboardRoute[]): ClientAnswers {
  const generator = createGenerator({
    path: place('client/src/platform/routes.ts'),
    tsconfig: place('tsconfig.json'),
    type: 'Routes',
    expose: 'export',
    topRef: false,
    additionalProperties: true,
    functions: 'hide',
    skipTypeCheck: true,
  })
  const { properties, definitions } = generator.createSchema('Routes') as unknown as Record<string, Json>
  const types: Record<string, InlineSchema> = {}
  const answers: ClientAnswers['answers'] = {}
  for (const route of routes) {
    const name = `${route.method} ${route.path}`
    const { query, body, answer } = ((properties as Json)[name] as { properties?: Json } | undefined)?.properties ?? {}
    if (answer === undefined) continue
    requireSameFields(`${name}: the query`, resolved(query), route.takes.query)
    requireSameFields(`${name}: the body`, resolved(body), route.takes.body)
    if (route.answer || route.events) continue
    answers[name] = (answer as Json).type === 'null' ? undefined : (published(answer) as PublishedSchema)
  }
  return { types, answers }

  function resolved(schema: unknown): Json | undefined {
    const { $ref } = (schema ?? {}) as { $ref?: string }
    return $ref === undefined ? (schema as Json | undefined) : ((definitions as Json)[nameIn($ref)] as Json)
  }

  /** With the types that are named in it. */
  function published(schema: unknown, name = ''): unknown {
    if (Array.isArray(schema)) return schema.map((one) => published(one))
    if (typeof schema !== 'object' || schema === null) return schema
    const { $ref } = schema as { $ref?: string }
    if ($ref !== undefined) return { $ref: `#/components/schemas/${include(nameIn($ref))}` }
    const shown = Object.entries(schema).map(([keyword, value]) => {
      if (keyword !== 'properties') return [keyword, published(value)]
      const fields = Object.entries(value as Json).map(([field, of]) => [field, published(of, field)])
      return [keyword, Object.fromEntries(fields)]
    })
    return asSent(Object.fromEntries(shown) as Json, name)
  }

  function include(name: string): string {
    if (!(name in types)) {
      types[name] = {}
      types[name] = published((definitions as Json)[name]) as InlineSchema
    }
    return name
  }
}

const nameIn = (reference: string) => decodeURIComponent(reference.split('/')[2] as string)

/** The client's type and the schema that validates must name the same fields. */
function requireSameFields(what: string, known: Json | undefined, taken: ObjectSchema | undefined): void {
  // A file.
  if (known?.properties !== undefined && 'arrayBuffer' in (known.properties as Json)) return
  const fields = (of: { properties?: unknown; required?: unknown } | undefined) =>
    Object.keys((of?.properties ?? {}) as Json)
      .map((name) => (((of?.required ?? []) as string[]).includes(name) ? name : `${name}?`))
      .toSorted()
      .join(', ')
  if (fields(known) === fields(taken)) return
  throw new Error(`${what} has {${fields(known)}} in client/src/platform/routes/, and {${fields(taken)}} in its route.`)
}

/**
 * TypeScript knows neither integers nor times. Only durations and their percentiles have fractions; what is called
 * `…At` is a time.
 */
function asSent(schema: Json, name: string): Json {
  const types = [schema.type].flat()
  const hasFraction = /Ms$|^p\d\d$/.test(name)
  const isTime = types.includes('string') && !schema.enum && /^at$|At$|^not(?:Before|After)$/.test(name)
  const type = types.map((one) => (one === 'number' && !hasFraction ? 'integer' : one))
  return {
    ...schema,
    ...(schema.type === undefined ? {} : { type: type.length === 1 ? type[0] : type }),
    ...(isTime ? { format: 'date-time' } : {}),
  }
}

if (import.meta.main) writeFileSync(PLATFORM_OPENAPI_FILE, publishedPlatformDocument())
