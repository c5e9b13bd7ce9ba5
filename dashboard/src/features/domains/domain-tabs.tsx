import { Stack, Tabs, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { DomainDetails } from '../../api/domains.ts'
import { useTabInView } from '../../parts/tab-in-view.ts'
import { useParameter } from '../../parts/use-parameter.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { CertificateSection } from './certificate-section.tsx'
import { HelpSection } from './help-section.tsx'
import { HstsSection } from './hsts-section.tsx'
import { InstancesSection } from './instances-section.tsx'
import { NameserversSection } from './nameservers-section.tsx'
import { RecordSection } from './record-section.tsx'
import { ServedSection } from './served-section.tsx'
import { TimelineSection } from './timeline-section.tsx'

type Tab = [value: string, label: string, content: ReactNode]

/** What can be looked up about a domain; which of it is open stands in the address. */
export default function DomainTabs({ domain, withRecord }: { domain: DomainDetails; withRecord: boolean }) {
  const isServed = domain.verifiedAt !== null
  const [path, go] = useLocation()
  const asked = useParameter('tab')
  const tabs: Tab[] = [
    ['certificate', 'Certificate', <CertificateTab key="certificate" domain={domain} />],
    ...(isServed || domain.provedAt !== null
      ? ([['instances', 'Instances', <InstancesSection key="instances" domain={domain} />]] as Tab[])
      : []),
    ['evidence', 'Evidence', <EvidenceTab key="evidence" domain={domain} />],
    ...(withRecord ? ([['record', 'DNS record', <RecordSection key="record" domain={domain} />]] as Tab[]) : []),
    ['timeline', 'Timeline', <TimelineSection key="timeline" domain={domain} />],
    ['help', 'Help', <HelpSection key="help" domain={domain} />],
  ]
  const first = isServed ? 'certificate' : domain.lastCheck ? 'evidence' : 'timeline'
  const shown = tabs.find(([value]) => value === asked)?.[0] ?? first
  const list = useTabInView(shown)
  return (
    <Tabs
      value={shown}
      onChange={(chosen) => go(`${path}?tab=${chosen}`, { replace: true })}
      keepMounted={false}
      className="domain-tabs"
    >
      <Tabs.List ref={list} mb="md" className="settings-tabs">
        {tabs.map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(([value, , content]) => (
        <Tabs.Panel key={value} value={value}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function CertificateTab({ domain }: { domain: DomainDetails }) {
  return (
    <Stack gap="lg">
      <CertificateSection domain={domain} />
      <HstsSection domain={domain} />
    </Stack>
  )
}

function EvidenceTab({ domain }: { domain: DomainDetails }) {
  const project = useProject()
  const isChecked = domain.lastCheck !== null && domain.lastCheck.nameservers.length > 0
  return (
    <Stack gap="lg">
      {!isChecked && (
        <Text size="sm" c="dimmed">
          No nameserver has been asked yet: choose Verify, and each answer stands here.
        </Text>
      )}
      <NameserversSection domain={domain} />
      {domain.verifiedAt !== null && mayEdit(project) && <ServedSection domain={domain} />}
    </Stack>
  )
}
