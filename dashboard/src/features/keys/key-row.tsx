import { ActionIcon, Group, Menu, Table, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { IconDots, IconRefresh, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { type Key, type NewKey, revokeKey } from '../../api/keys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import type { Opener } from '../../parts/give-back-focus.ts'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { RotateKey } from './rotate-key.tsx'

export function KeyRow({ apiKey, show }: { apiKey: Key; show(minted: NewKey, opener: Opener): void }) {
  const project = useProject()
  const opener = useRef<HTMLButtonElement>(null)
  const [rotating, rotation] = useDisclosure(false)
  const [revoking, revocation] = useDisclosure(false)
  const revoke = useMutation({
    mutationFn: () => revokeKey(project.slug, apiKey.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['projects', project.slug, 'keys'] })
      notifications.show({ message: `“${apiKey.name}” is revoked: the next request with it is refused.` })
      revocation.close()
    },
  })
  return (
    <Table.Tr>
      <Table.Td className="wrap-anywhere">
        <Group gap={6}>
          <Text size="sm" fw={550}>
            {apiKey.name}
          </Text>
          {apiKey.state !== 'active' && <Tag tone={apiKey.state === 'revoked' ? 'red' : 'plain'}>{apiKey.state}</Tag>}
        </Group>
        <Text size="xs" c="dimmed">
          created <TimeAgo at={apiKey.createdAt} />
        </Text>
      </Table.Td>
      <Table.Td className="mono only-wide">{apiKey.hint}</Table.Td>
      <Table.Td className="only-wide">
        <Group gap={4}>
          {apiKey.scopes.map((scope) => (
            <Tag key={scope} tone={scope === 'write' ? 'blue' : 'plain'}>
              {scope}
            </Tag>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        {apiKey.lastUsedAt === null ? (
          <Text size="sm" c="dimmed">
            never
          </Text>
        ) : (
          <TimeAgo at={apiKey.lastUsedAt} />
        )}
      </Table.Td>
      <Table.Td className="only-wide">
        {apiKey.expiresAt === null ? (
          <Text size="sm" c="dimmed">
            never
          </Text>
        ) : (
          <TimeAgo at={apiKey.expiresAt} />
        )}
      </Table.Td>
      <Table.Td ta="right">
        {apiKey.state === 'active' && mayEdit(project) && (
          <Menu>
            <Menu.Target>
              <ActionIcon ref={opener} variant="subtle" color="gray" aria-label={`Actions for ${apiKey.name}`}>
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconRefresh size={16} />} onClick={rotation.open}>
                Rotate…
              </Menu.Item>
              <Menu.Item leftSection={<IconTrash size={16} />} color="red" onClick={revocation.open}>
                Revoke…
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
        <RotateKey
          apiKey={apiKey}
          opened={rotating}
          close={rotation.close}
          opener={opener}
          show={(minted) => show(minted, opener)}
        />
        <Confirm
          opened={revoking}
          close={revocation.close}
          title={`Revoke “${apiKey.name}”?`}
          action="Revoke key"
          pending={revoke.isPending}
          error={revoke.error}
          opener={opener}
          run={() => revoke.mutate()}
        >
          <p>
            Whatever uses <span className="mono">{apiKey.hint}</span> is refused from its next request on. This cannot
            be taken back.
          </p>
          <p>To replace a key that is in use, choose Rotate instead: the old one then goes on working for a while.</p>
        </Confirm>
      </Table.Td>
    </Table.Tr>
  )
}
