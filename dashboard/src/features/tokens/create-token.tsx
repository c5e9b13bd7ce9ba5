import { Checkbox, Select, SimpleGrid, TextInput } from '@mantine/core'
import { createToken, type TokenScope } from '../../api/tokens.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import type { Opener } from '../../parts/give-back-focus.ts'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import { newTokenOnce } from './new-token-once.tsx'

interface CreateTokenProps {
  opened: boolean
  close(): void
  /** Has the focus once the token is stored. */
  opener: Opener
}

const LIVES = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

const SCOPES: [TokenScope, string][] = [
  ['deploys:write', 'Publish, roll back and remove deploys'],
  ['deploys:read', 'See deploys'],
  ['domains:write', 'Add, verify and remove domains'],
  ['domains:read', 'See domains and certificates'],
  ['pets:write', 'Add and change animals'],
  ['pets:read', 'See animals'],
  ['orders:write', 'Place and end orders'],
  ['orders:read', 'See orders'],
  ['keys:write', 'Create, rotate and revoke API keys'],
  ['keys:read', 'See which API keys there are'],
  ['webhooks:write', 'Add, change and remove webhooks, and listen'],
  ['webhooks:read', 'See webhooks and what they were sent'],
  ['project:write', 'Change the project’s name and address'],
  ['project:read', 'See overview, usage and shares'],
  ['members:read', 'See who belongs to the project'],
  ['audit:read', 'Read the audit log'],
]

export default function CreateToken({ opened, close, opener }: CreateTokenProps) {
  const { slug } = useProject()
  return (
    <FormDialog
      opened={opened}
      close={close}
      title="Create a token"
      action="Create token"
      initial={{ name: '', scopes: ['deploys:write'] as TokenScope[], days: '90' }}
      isComplete={({ name, scopes }) => name.trim() !== '' && scopes.length > 0}
      send={({ name, scopes, days }) => createToken(slug, { name: name.trim(), scopes, expiresInDays: Number(days) })}
      secret={(minted) => newTokenOnce(minted, slug, opener)}
      sent={() => queryClient.invalidateQueries({ queryKey: ['projects', slug, 'tokens'] })}
    >
      {({ name, scopes, days }, set) => (
        <>
          <TextInput
            label="Name"
            description="What will use it, so that you know later."
            placeholder="GitHub Actions"
            required
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Checkbox.Group
            label="Scopes"
            description="It can do this and nothing else. Whoever may write something may read it."
            value={scopes}
            onChange={(chosen) => set({ scopes: chosen as TokenScope[] })}
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={6}>
              {SCOPES.map(([scope, about]) => (
                <Checkbox key={scope} value={scope} label={scope} description={about} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Select
            label="Expires"
            data={LIVES}
            value={days}
            allowDeselect={false}
            onChange={(chosen) => set({ days: chosen ?? '90' })}
          />
        </>
      )}
    </FormDialog>
  )
}
