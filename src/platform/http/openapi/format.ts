import type { InlineSchema, PublishedSchema } from '../../schema.ts'
import type { OperationContract } from '../operation.ts'
import type { deprecationMarkers, stabilityMarkers, TRY_OUT_DISABLED } from './markers.ts'

/**
 * What our documents have of OpenAPI 3.1. The reference is typed by it: a change of this shape that the reference does
 * not follow fails to compile.
 */
export interface OpenApiDocument {
  openapi: string
  info: {
    title: string
    version: string
    summary: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string; description: string }[]
  security: SecurityRequirement[]
  tags: { name: string; description: string; 'x-displayName'?: string; 'x-parent'?: string }[]
  'x-tagGroups': { name: string; tags: string[] }[]
  paths: Record<string, Partial<Record<Method, OperationObject>>>
  components: {
    securitySchemes: Record<string, SecurityScheme>
    schemas: Record<string, InlineSchema>
    /** Errors that many operations have in common. */
    responses?: Record<string, ResponseObject>
    headers: Record<string, { description: string }>
  }
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Names of schemes, all of them needed, each with the roles or scopes that it needs. */
export type SecurityRequirement = Record<string, readonly string[]>

interface SecurityScheme {
  type: string
  description: string
  scheme?: string
  in?: string
  name?: string
}

export interface OperationObject
  extends
    ReturnType<typeof stabilityMarkers>,
    Partial<ReturnType<typeof deprecationMarkers>>,
    Partial<typeof TRY_OUT_DISABLED> {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security: SecurityRequirement[]
  parameters: ParameterObject[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, ResponseObject | { $ref: string }>
}

export interface ParameterObject extends Partial<ReturnType<typeof stabilityMarkers>> {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string | undefined
  schema: PublishedSchema
  example?: unknown
}

/** By media type. */
export type Content = Record<string, { schema: PublishedSchema; example?: unknown }>

export interface ResponseObject {
  description: string
  headers: Record<string, { $ref: string }>
  content?: Content
}

/** By status. */
export type Responses = Record<string, ResponseObject>

export const jsonContent = (schema: PublishedSchema, example?: unknown): Content => ({
  'application/json': example === undefined ? { schema } : { schema, example },
})

export const methodOf = ({ method }: { method: OperationContract['method'] | 'PUT' }) => method.toLowerCase() as Method
