import { ActionIcon, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useRef } from 'react'
import { IconDots, IconRefresh, IconTrash } from '../../icons/icons.ts'
import { type Key, revokeKey } from '../../api/keys.ts'
import { Confirm } from '../../parts/confirm.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { RowMenu } from '../../parts/row-menu.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { lateDialog } from '../../parts/late-dialog.tsx'

const RotateKey = lateDialog(() => import('./rotate-key.tsx'))

/** `all` keys of the environment: one that was rotated is told by its successor. */
export const keyColumns = (all: readonly Key[]): Column<Key>[] => [
  {
    head: 'Name',
    className: 'wrap-anywhere',
    cell: ({ id, name, state, createdAt, madeBy, replaces }) => (
      <>
        <Group gap={6}>
          <Text size="sm" fw={550}>
            {name}
          </Text>
          {state !== 'active' && <Tag tone={state === 'revoked' ? 'red' : 'plain'}>{state}</Tag>}
          {state === 'active' && all.some((key) => key.replaces === id && key.state === 'active') && (
            <Tag tone="warm">being replaced</Tag>
          )}
        </Group>
        <Rotation id={id} replaces={replaces} all={all} />
        <Text size="xs" c="dimmed">
          created <TimeAgo at={createdAt} />
          {madeBy && <span title={madeBy.email}> by {madeBy.name}</span>}
        </Text>
      </>
    ),
  },
  { head: 'Key', className: 'mono', onlyWide: true, cell: ({ hint }) => hint },
  {
    head: 'Scopes',
    onlyWide: true,
    cell: ({ scopes }) => (
      <Group gap={4}>
        {scopes.map((scope) => (
          <Tag key={scope} tone={scope === 'write' ? 'blue' : 'plain'}>
            {scope}
          </Tag>
        ))}
      </Group>
    ),
  },
  { head: 'Last used', cell: ({ lastUsedAt }) => timeOrNever(lastUsedAt) },
  { head: 'Expires', onlyWide: true, cell: ({ expiresAt }) => timeOrNever(expiresAt) },
  { ta: 'right', cell: (key) => <KeyActions apiKey={key} /> },
]

/** Two keys of one name: which is the old one, and which took its place. */
function Rotation({ id, replaces, all }: Pick<Key, 'id' | 'replaces'> & { all: readonly Key[] }) {
  const before = all.find((key) => key.id === replaces)
  const after = all.find((key) => key.replaces === id)
  if (!before && !after) return null
  return (
    <Text size="xs" c="dimmed">
      {before && (
        <>
          takes the place of <span className="mono">{before.hint}</span>
        </>
      )}
      {before && after && '; '}
      {after && (
        <>
          its successor is <span className="mono">{after.hint}</span>
        </>
      )}
    </Text>
  )
}

const timeOrNever = (at: string | null) =>
  at === null ? (
    <Text size="sm" c="dimmed">
      never
    </Text>
  ) : (
    <TimeAgo at={at} />
  )

function KeyActions({ apiKey }: { apiKey: Key }) {
  const project = useProject()
  const opener = useRef<HTMLButtonElement>(null)
  const [rotating, rotation] = useDisclosure(false)
  const [revoking, revocation] = useDisclosure(false)
  return (
    <>
      {apiKey.state === 'active' && mayEdit(project) && (
        <RowMenu
          button={
            <ActionIcon
              ref={opener}
              variant="subtle"
              color="gray"
              aria-label={`Actions for ${apiKey.name}`}
              title={apiKey.hint}
            >
              <IconDots size={18} />
            </ActionIcon>
          }
          choices={[
            { label: 'Rotate…', icon: <IconRefresh size={16} />, choose: rotation.open },
            { label: 'Revoke…', icon: <IconTrash size={16} />, isDangerous: true, choose: revocation.open },
          ]}
        />
      )}
      <RotateKey apiKey={apiKey} opened={rotating} close={rotation.close} opener={opener} />
      <Confirm
        opened={revoking}
        close={revocation.close}
        title={`Revoke “${apiKey.name}”?`}
        action="Revoke key"
        opener={opener}
        send={() => revokeKey(project.slug, apiKey.id)}
        sent={async () => {
          await queryClient.invalidateQueries({ queryKey: ['projects', project.slug, 'keys'] })
          notifications.show({ message: `“${apiKey.name}” is revoked: the next request with it is refused.` })
        }}
      >
        <p>
          Whatever uses <span className="mono">{apiKey.hint}</span> is refused from its next request on. This cannot be
          taken back.
        </p>
        <p>To replace a key that is in use, choose Rotate instead: the old one then goes on working for a while.</p>
      </Confirm>
    </>
  )
}
