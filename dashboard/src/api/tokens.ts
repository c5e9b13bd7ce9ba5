import { queryOptions } from '@tanstack/react-query'
import type { Routes } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'

export type { NewToken, Token, TokenScope } from '../../../client/src/platform/platform.ts'

export const tokensQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'tokens'],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/tokens', { project, signal }),
  })

export const createToken = (project: string, body: Routes['POST /projects/{project}/tokens']['body']) =>
  platform.call('POST /projects/{project}/tokens', { project, body })

export const revokeToken = (project: string, token: string) =>
  platform.call('DELETE /projects/{project}/tokens/{token}', { project, token })
