import './sandbox.css'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from 'wouter'
import { IconFlask } from '../../icons/icons.ts'
import { useInstallation } from '../../api/installation.ts'
import { answerRequest, type ConnectConsent, consentQuery } from '../../api/sandbox.ts'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'

/** The sandbox registrar's page of consent, as a DNS provider shows it after somebody has signed in. */
export default function ConnectPage() {
  const { sandbox } = useInstallation()
  const { provider = '', service = '' } = useParams<{ provider?: string; service?: string }>()
  const request = { provider, service, query: useSearch() }
  const consent = useQuery({ ...consentQuery(request), enabled: sandbox })
  const answer = useMutation({
    mutationFn: (consents: boolean) => answerRequest({ ...request, consents }),
    onSuccess: ({ redirect }) => {
      if (redirect !== null) location.assign(redirect)
    },
  })
  if (!sandbox) return <NotFoundPage />
  return (
    <Page title="Sandbox registrar">
      <section className="sandbox-band" aria-label="About the sandbox">
        <IconFlask size={24} stroke={1.6} aria-hidden="true" />
        <div>
          <p className="sandbox-band-title">This is a sandbox</p>
          <p>It plays your DNS provider. A real one would ask you to sign in before it shows this page.</p>
        </div>
      </section>
      <QueryGuard query={consent} waiting={<WaitingLines lines={4} />}>
        {(wish) => (
          <Section
            title={`${wish.provider} wants to connect ${wish.hostname}`}
            description={`“${wish.service}”. The request is signed by ${wish.provider}. These records would change:`}
          >
            <Stack gap="md">
              <DataTable
                className="rows card-rows"
                columns={COLUMNS}
                items={changesOf(wish)}
                keyOf={({ sign, type, name, value }) => `${sign} ${type} ${name} ${value}`}
              />
              <Refusal error={answer.error} />
              {answer.data?.redirect === null && (
                <Text size="sm">It is done. The request named no page to go back to: close this one.</Text>
              )}
              <Group gap="xs">
                <Button loading={answer.isPending || answer.isSuccess} onClick={() => answer.mutate(true)}>
                  Connect
                </Button>
                <Button variant="default" disabled={answer.isPending} onClick={() => answer.mutate(false)}>
                  Cancel
                </Button>
              </Group>
            </Stack>
          </Section>
        )}
      </QueryGuard>
    </Page>
  )
}

interface Change {
  sign: 'adds' | 'removes'
  type: string
  name: string
  value: string
}

const changesOf = ({ adds, removes }: ConnectConsent): Change[] => [
  ...removes.map((record) => ({ sign: 'removes' as const, ...record })),
  ...adds.map((record) => ({ sign: 'adds' as const, ...record })),
]

const COLUMNS: Column<Change>[] = [
  { head: 'Change', cell: ({ sign }) => <Tag tone={sign === 'adds' ? 'green' : 'red'}>{sign}</Tag> },
  { head: 'Type', cell: ({ type }) => type },
  { head: 'Name', className: 'mono wrap-anywhere', cell: ({ name }) => name },
  { head: 'Value', className: 'mono wrap-anywhere', cell: ({ value }) => value },
]
