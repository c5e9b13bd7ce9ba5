import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { IconArrowRightBar, IconDots, IconRefresh, IconStar, IconTrash } from '../../icons/icons.ts'
import { messageOf } from '../../api/platform.ts'
import { type Domain, domainsKey, domainsQuery, makePrimary, setRedirect } from '../../api/domains.ts'
import { RowMenu } from '../../parts/row-menu.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { useVerify } from './verify-button.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'

const RemoveDialog = lateDialog(() => import('./remove-dialog.tsx'))
const RedirectDialog = lateDialog(() => import('./redirect-dialog.tsx'))

/** The menu of a domain. */
export function DomainMenu({ domain }: { domain: Domain }) {
  const project = useProject()
  const { slug } = project
  const { hostname, role, redirect, verifiedAt } = domain
  const refresh = () => queryClient.invalidateQueries({ queryKey: domainsKey(slug) })
  const verify = useVerify(slug, hostname)
  const opener = useRef<HTMLButtonElement>(null)
  const [redirecting, redirection] = useDisclosure(false)
  const [removing, removal] = useDisclosure(false)
  const promote = useMutation({
    mutationFn: async () => {
      const former = (await queryClient.ensureQueryData(domainsQuery(slug))).find((each) => each.role === 'primary')
      await makePrimary(slug, hostname)
      // As it was when it was pressed: the news may be here before the answer.
      return { former, redirect }
    },
    onSuccess: async ({ former, redirect }) => {
      await refresh()
      const message = `${hostname} is the primary domain now, and the former one redirects to it.`
      if (!former) return void notifications.show({ message })
      sayWithUndo(message, async () => {
        await makePrimary(slug, former.hostname)
        if (redirect) await setRedirect(slug, hostname, redirect)
        await refresh()
      })
    },
    onError: (error) => notifications.show({ color: 'red', title: 'Nothing was changed', message: messageOf(error) }),
  })
  if (!mayEdit(project) || domain.state === 'removed') return null

  return (
    <>
      <RowMenu
        button={
          <ActionIcon ref={opener} variant="subtle" color="gray" size="lg" aria-label={`Menu of ${hostname}`}>
            <IconDots size={18} />
          </ActionIcon>
        }
        choices={[
          {
            label: verifiedAt === null ? 'Verify' : 'Re-verify',
            icon: <IconRefresh size={16} />,
            choose: () => verify.mutate(),
          },
          ...(role === 'redirect'
            ? [
                { label: 'Make primary', icon: <IconStar size={16} />, choose: () => promote.mutate() },
                { label: 'Redirect…', icon: <IconArrowRightBar size={16} />, choose: redirection.open },
              ]
            : []),
          { label: 'Remove', icon: <IconTrash size={16} />, isDangerous: true, choose: removal.open },
        ]}
      />
      <RedirectDialog domain={domain} opened={redirecting} close={redirection.close} opener={opener} />
      <RemoveDialog domain={domain} opened={removing} close={removal.close} opener={opener} />
    </>
  )
}
