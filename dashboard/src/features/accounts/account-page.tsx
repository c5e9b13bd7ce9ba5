import { Button, Group, Stack, Tabs, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { renameAccount, useAccount } from '../../api/session.ts'
import { NotFoundPage } from '../../frame/not-found-page.tsx'
import { Form } from '../../parts/form.tsx'
import { early, latePage } from '../../parts/late-page.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { WaitingPage } from '../../parts/waiting.tsx'
import { AddressSection } from './address-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { signedInNow } from './signed-in-now.ts'

const AuditTable = latePage(() => import('../audit/audit-table.tsx'))
const SecondFactorsSection = latePage(() => import('./second-factors-section.tsx'))
const SessionsSection = latePage(() => import('./sessions-section.tsx'))

const TABS = [
  ['profile', 'Profile', undefined],
  ['security', 'Security', SecondFactorsSection],
  ['sessions', 'Sessions', SessionsSection],
  ['activity', 'Activity', AuditTable],
] as const

export default function AccountPage() {
  const { tab = 'profile' } = useParams<{ tab?: string }>()
  const [, go] = useLocation()
  const known = TABS.find(([value]) => value === tab)
  if (!known) return <NotFoundPage />
  return (
    <Page title={known[0] === 'profile' ? 'Account' : known[1]} above={known[0] === 'profile' ? undefined : 'Account'}>
      <Tabs
        value={tab}
        onChange={(chosen) => go(chosen === 'profile' ? '/account' : `/account/${chosen}`)}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {TABS.map(([value, label, code]) => (
            <Tabs.Tab key={value} value={value} {...early(code)}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          <Suspense fallback={<WaitingPage />}>
            <Content tab={known[0]} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function Content({ tab }: { tab: (typeof TABS)[number][0] }) {
  switch (tab) {
    case 'profile':
      return (
        <Stack gap="lg">
          <NameSection />
          <AddressSection />
          <PasswordSection />
        </Stack>
      )
    case 'security':
      return <SecondFactorsSection />
    case 'sessions':
      return <SessionsSection />
    case 'activity':
      return <AuditTable slug={null} />
  }
}

function NameSection() {
  const account = useAccount()
  const [typed, setTyped] = useState<string>()
  const name = typed ?? account.name
  const rename = useMutation({
    mutationFn: () => renameAccount(name),
    // As it was when it was pressed: the news may be here before the answer.
    onMutate: () => account.name,
    onSuccess: ({ account: renamed }, _, before) => {
      signedInNow(renamed)
      // Unless somebody has typed more since.
      setTyped((now) => (now?.trim() === renamed.name ? undefined : now))
      sayWithUndo('Your name has been changed.', async () => {
        signedInNow((await renameAccount(before)).account)
      })
    },
  })
  return (
    <Section title="Profile">
      <Form
        maw="26rem"
        send={rename.mutateAsync}
        error={rename.error}
        actions={
          <Group>
            <Button
              type="submit"
              loading={rename.isPending}
              disabled={name.trim() === account.name || name.trim() === ''}
            >
              Save
            </Button>
          </Group>
        }
      >
        <TextInput
          label="Your name"
          required
          maxLength={100}
          autoComplete="name"
          value={name}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Form>
    </Section>
  )
}
