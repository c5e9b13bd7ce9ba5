import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useRef } from 'react'
import { revokeToken, type Token } from '../../api/tokens.ts'
import { Confirm } from '../../parts/confirm.tsx'
import type { Column } from '../../parts/data-table.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'

export const TOKEN_COLUMNS: Column<Token>[] = [
  {
    head: 'Name',
    className: 'wrap-anywhere',
    cell: ({ name, state, createdAt, madeBy, hint }) => (
      <>
        <Group gap={6}>
          <Text size="sm" fw={550}>
            {name}
          </Text>
          {state !== 'active' && <Tag tone={state === 'revoked' ? 'red' : 'plain'}>{state}</Tag>}
        </Group>
        <Text size="xs" c="dimmed">
          <span className="mono">{hint}</span>, created <TimeAgo at={createdAt} />
          {madeBy && <span title={madeBy.email}> by {madeBy.name}</span>}
        </Text>
      </>
    ),
  },
  {
    head: 'Scopes',
    onlyWide: true,
    cell: ({ scopes }) => (
      <Group gap={4}>
        {scopes.map((scope) => (
          <Tag key={scope} tone={scope.endsWith(':write') ? 'blue' : 'plain'}>
            {scope}
          </Tag>
        ))}
      </Group>
    ),
  },
  {
    head: 'Last used',
    cell: ({ lastUsedAt }) =>
      lastUsedAt === null ? (
        <Text size="sm" c="dimmed">
          never
        </Text>
      ) : (
        <TimeAgo at={lastUsedAt} />
      ),
  },
  { head: 'Expires', onlyWide: true, cell: ({ expiresAt }) => <TimeAgo at={expiresAt} /> },
  { ta: 'right', cell: (token) => <RevokeToken token={token} /> },
]

function RevokeToken({ token: { id, name, hint, state } }: { token: Token }) {
  const project = useProject()
  const opener = useRef<HTMLButtonElement>(null)
  const [asking, { open, close }] = useDisclosure(false)
  if (state !== 'active' || !mayEdit(project)) return null
  return (
    <>
      <Button ref={opener} size="compact-sm" variant="subtle" color="red" onClick={open} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
      <Confirm
        opened={asking}
        close={close}
        title={`Revoke “${name}”?`}
        action="Revoke token"
        opener={opener}
        send={() => revokeToken(project.slug, id)}
        sent={async () => {
          await queryClient.invalidateQueries({ queryKey: ['projects', project.slug, 'tokens'] })
          notifications.show({ message: `“${name}” is revoked: the next request with it is refused.` })
        }}
      >
        <p>
          Whatever uses <span className="mono">{hint}</span> is refused from its next request on. This cannot be taken
          back.
        </p>
      </Confirm>
    </>
  )
}
