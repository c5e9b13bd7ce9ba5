import { queryOptions } from '@tanstack/react-query'
import type { Routes } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'

export type { Key, NewKey } from '../../../client/src/platform/platform.ts'

export const keysQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'keys'],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/keys', { project, signal }),
  })

export const createKey = (project: string, body: Routes['POST /projects/{project}/keys']['body']) =>
  platform.call('POST /projects/{project}/keys', { project, body })

export const rotateKey = (project: string, key: string, overlapHours: number) =>
  platform.call('POST /projects/{project}/keys/{key}/rotate', { project, key, body: { overlapHours } })

export const revokeKey = (project: string, key: string) =>
  platform.call('DELETE /projects/{project}/keys/{key}', { project, key })
