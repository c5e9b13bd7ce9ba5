import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { IconArrowRightBar, IconDots, IconRefresh, IconStar, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { messageOf } from '../../api/platform.ts'
import { type Domain, domainsKey, makePrimary } from '../../api/domains.ts'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { RedirectDialog } from './redirect-dialog.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { useVerify } from './verify-button.tsx'

/** The menu of a domain. */
export function DomainMenu({ domain }: { domain: Domain }) {
  const project = useProject()
  const { slug } = project
  const { hostname, role, verifiedAt } = domain
  const verify = useVerify(slug, hostname)
  const opener = useRef<HTMLButtonElement>(null)
  const [redirecting, redirection] = useDisclosure(false)
  const [removing, removal] = useDisclosure(false)
  const promote = useMutation({
    mutationFn: () => makePrimary(slug, hostname),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: domainsKey(slug) })
      notifications.show({ message: `${hostname} is the primary domain now, and the former one redirects to it.` })
    },
    onError: (error) => notifications.show({ color: 'red', title: 'Nothing was changed', message: messageOf(error) }),
  })
  if (!mayEdit(project) || domain.state === 'removed') return null

  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon ref={opener} variant="subtle" color="gray" size="lg" aria-label={`Menu of ${hostname}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => verify.mutate()}>
            {verifiedAt === null ? 'Verify' : 'Re-verify'}
          </Menu.Item>
          {role === 'redirect' && (
            <>
              <Menu.Item leftSection={<IconStar size={16} />} onClick={() => promote.mutate()}>
                Make primary
              </Menu.Item>
              <Menu.Item leftSection={<IconArrowRightBar size={16} />} onClick={redirection.open}>
                Redirect…
              </Menu.Item>
            </>
          )}
          <Menu.Divider />
          <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={removal.open}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RedirectDialog domain={domain} opened={redirecting} close={redirection.close} opener={opener} />
      <RemoveDialog domain={domain} opened={removing} close={removal.close} opener={opener} />
    </>
  )
}
