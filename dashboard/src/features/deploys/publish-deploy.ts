import { notifications } from '@mantine/notifications'
import { activateDeploy, deploysQuery } from '../../api/deploys.ts'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'

/** Shows a deploy to all visitors, and offers the way back to the one that they saw before. */
export async function publishDeploy(slug: string, id: string): Promise<void> {
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['projects', slug] })
  const former = (await queryClient.fetchQuery(deploysQuery(slug))).find(({ active }) => active)
  await activateDeploy(slug, id)
  await refresh()
  const message = 'This deploy is live now.'
  if (!former) return void notifications.show({ message })
  sayWithUndo(message, () => activateDeploy(slug, former.id).then(refresh))
}
