import { notifications } from '@mantine/notifications'
import { activateDeploy, type Deploy, deploysQuery } from '../../api/deploys.ts'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'

/** Shows a deploy to all visitors, and offers the way back to the one that they saw before. */
export async function publishDeploy(slug: string, id: string): Promise<void> {
  const former = await findLive(slug)
  await activateDeploy(slug, id)
  await refresh(slug)
  sayLive(slug, 'This deploy is live now.', former)
}

/** The deploy that visitors see. */
export const findLive = async (slug: string) =>
  (await queryClient.fetchQuery(deploysQuery(slug))).find(({ active }) => active)

export function sayLive(slug: string, message: string, former: Deploy | undefined): void {
  if (!former) return void notifications.show({ message })
  sayWithUndo(message, () => activateDeploy(slug, former.id).then(() => refresh(slug)))
}

const refresh = (slug: string) => queryClient.invalidateQueries({ queryKey: ['projects', slug] })
