import { readFileSync } from 'node:fs'
import { PLATFORM_OPENAPI_FILE } from '../../../scripts/openapi-platform.ts'
import type { House } from '../../platform-api/house.ts'
import type { Given, Stage } from './scene.ts'
import { REFUSED, SCENES } from './scenes.ts'

export interface Operation {
  id: string
  method: string
  path: string
  statuses: string[]
}

export function operationsIn(file: string): Operation[] {
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string; responses: object }>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id, responses }]) => {
      return { id, method: method.toUpperCase(), path, statuses: Object.keys(responses) }
    }),
  )
}

export const platformOperations = operationsIn(PLATFORM_OPENAPI_FILE)

/** As it goes over the wire; the path is below `/platform/v1`. */
export interface SceneRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | Buffer<ArrayBuffer> | undefined
}

/** Gives a request that has to succeed, or for some operations one that has to be refused, and all that it needs. */
export async function openScenes(house: House) {
  const newStage = async (): Promise<Stage> => {
    const { slug, owner } = await house.project()
    return { house, project: slug, owner }
  }
  // For what changes nothing, or needs nothing.
  const common = await newStage()
  return async (operation: Operation): Promise<SceneRequest> => {
    const scene = SCENES[operation.id]
    const isAlone = scene !== undefined || operation.method !== 'GET'
    const stage = isAlone ? await newStage() : common
    const given = REFUSED[operation.id]?.given ?? (await scene?.(stage)) ?? {}
    const body = bodyOf(operation, given)
    return {
      method: operation.method,
      path: pathOf(operation, given, stage),
      headers: headersOf(operation, given, stage, body),
      body,
    }
  }
}

function pathOf({ path }: Operation, { parameters, query }: Given, { project }: Stage): string {
  const values: Record<string, string> = { project, environment: 'production', ...parameters }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  return filled + (query === undefined ? '' : `?${query}`)
}

function headersOf(
  { method, path }: Operation,
  { by, token }: Given,
  { house, owner }: Stage,
  body: SceneRequest['body'],
): Record<string, string> {
  const usual = path.startsWith('/operator') ? house.operator : owner
  const person = by === undefined ? usual : by
  const cookies = [...(person?.browser.cookies ?? [])].map((pair) => pair.join('='))
  return {
    // The document names the cookie of an address with TLS, the service here knows the one without.
    ...(cookies.length > 0 && { Cookie: ['__Host-petstore_session=see-the-next', ...cookies].join('; ') }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(method !== 'GET' && { Origin: house.shop.config.baseUrl.origin }),
    ...(body !== undefined && {
      'Content-Type': body instanceof Buffer ? 'application/octet-stream' : 'application/json',
    }),
  }
}

function bodyOf({ method }: Operation, { body }: Given): SceneRequest['body'] {
  if (body instanceof Buffer) return body as Buffer<ArrayBuffer>
  const isEmpty = body === undefined && (method === 'GET' || method === 'DELETE')
  return isEmpty ? undefined : JSON.stringify(body ?? {})
}
