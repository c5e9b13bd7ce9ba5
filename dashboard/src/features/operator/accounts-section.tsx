import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconUserPlus } from '../../icons/icons.ts'
import { accountsQuery } from '../../api/operator.ts'
import type { Account } from '../../api/session.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { ShowMore } from '../../parts/show-more.tsx'
import { Tag } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'

const InviteAccount = lateDialog(() => import('./invite-account.tsx'))

const ACCOUNT_COLUMNS: Column<Account>[] = [
  {
    head: 'Account',
    className: 'wrap-anywhere',
    cell: ({ name, email }) => (
      <>
        <Text size="sm" fw={550}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      </>
    ),
  },
  {
    head: 'Rights',
    cell: ({ operator }) => (operator ? <Tag tone="violet">operator</Tag> : <Tag tone="plain">account</Tag>),
  },
  { head: 'Created', onlyWide: true, cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
]

export function AccountsSection({ text }: { text: string }) {
  const [inviting, { open, close }] = useDisclosure(false)
  const list = useInfiniteQuery(accountsQuery(text))
  const accounts = list.data?.pages.flatMap(({ items }) => items)
  return (
    <Section
      flush
      title="Accounts"
      actions={
        <Button size="xs" variant="default" leftSection={<IconUserPlus size={16} />} onClick={open}>
          Invite somebody
        </Button>
      }
    >
      <QueryGuard query={list}>
        {() => (
          <>
            <DataTable
              columns={ACCOUNT_COLUMNS}
              items={accounts}
              isStale={list.isPlaceholderData}
              keyOf={({ id }) => id}
              waitingRows={2}
              empty={accounts?.length === 0 ? 'No such account.' : undefined}
            />
            <ShowMore what="more accounts" list={list} />
          </>
        )}
      </QueryGuard>
      <InviteAccount opened={inviting} close={close} />
    </Section>
  )
}
