import { Button, Group, Stack, Tabs, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { renameAccount, useAccount } from '../../api/session.ts'
import { Form } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { AuditTable } from '../audit/audit-table.tsx'
import { AddressSection } from './address-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { SecondFactorsSection } from './second-factors-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { signedInNow } from './signed-in-now.ts'

export default function AccountPage() {
  const { tab = 'profile' } = useParams<{ tab?: string }>()
  const [, go] = useLocation()
  return (
    <Page title="Account">
      <Tabs
        value={tab}
        onChange={(chosen) => go(chosen === 'profile' ? '/account' : `/account/${chosen}`)}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="profile">Profile</Tabs.Tab>
          <Tabs.Tab value="security">Security</Tabs.Tab>
          <Tabs.Tab value="sessions">Sessions</Tabs.Tab>
          <Tabs.Tab value="activity">Activity</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="profile">
          <Stack gap="lg">
            <NameSection />
            <AddressSection />
            <PasswordSection />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="security">
          <SecondFactorsSection />
        </Tabs.Panel>
        <Tabs.Panel value="sessions">
          <SessionsSection />
        </Tabs.Panel>
        <Tabs.Panel value="activity">
          <AuditTable slug={null} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

function NameSection() {
  const account = useAccount()
  const [name, setName] = useState(account.name)
  const rename = useMutation({
    mutationFn: () => renameAccount(name),
    onSuccess: ({ account: renamed }) => {
      signedInNow(renamed)
      notifications.show({ message: 'Your name has been changed.' })
    },
  })
  return (
    <Section title="Profile">
      <Form
        maw="26rem"
        send={rename.mutate}
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
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Form>
    </Section>
  )
}
