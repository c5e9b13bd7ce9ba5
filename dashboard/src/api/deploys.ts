import { queryOptions } from '@tanstack/react-query'
import { platform } from './platform.ts'

export type { Deploy, DeployFiles, DeployResult, DeployWish } from '../../../client/src/platform/platform.ts'

export const deploysQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'deploys'],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/deploys', { project, signal }),
  })

export const deployFilesQuery = (project: string, deploy: string) =>
  queryOptions({
    queryKey: ['projects', project, 'deploys', deploy, 'files'],
    queryFn: ({ signal }) =>
      platform.call('GET /projects/{project}/deploys/{deploy}/files', { project, deploy, signal }),
  })

export const activateDeploy = (project: string, deploy: string) =>
  platform.call('POST /projects/{project}/deploys/{deploy}/activate', { project, deploy })

export const removeDeploy = (project: string, deploy: string) =>
  platform.call('DELETE /projects/{project}/deploys/{deploy}', { project, deploy })
