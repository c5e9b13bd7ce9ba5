import { queryOptions } from '@tanstack/react-query'
import { platform } from './platform.ts'

export type { Share } from '../../../client/src/platform/platform.ts'

export const sharesQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'shares'],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/shares', { project, signal }),
  })
