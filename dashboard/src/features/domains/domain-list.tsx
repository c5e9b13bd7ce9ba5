import { Anchor, Group, Text } from '@mantine/core'
import { IconCornerDownRight, IconStarFilled } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Domain } from '../../api/domains.ts'
import { Tag } from '../../parts/tag.tsx'
import { daysUntil } from '../../parts/time.tsx'
import { useProject } from '../projects/project-context.ts'
import { DomainMenu } from './domain-menu.tsx'
import { StateTag } from './state-tag.tsx'
import { VerifyButton } from './verify-button.tsx'

/** The primary first, then what leads to it. */
export function DomainList({ domains }: { domains: Domain[] }) {
  const ordered = domains.toSorted((a, b) => Number(a.role === 'redirect') - Number(b.role === 'redirect'))
  return (
    <ul className="domains">
      {ordered.map((domain) => (
        <DomainItem key={domain.hostname} domain={domain} />
      ))}
    </ul>
  )
}

function DomainItem({ domain }: { domain: Domain }) {
  const { slug } = useProject()
  const { hostname, unicode, role, redirect, state } = domain
  const page = `/projects/${slug}/settings/domains/${hostname}`
  return (
    <li className="domain">
      <div className="domain-icon" aria-hidden="true">
        {role === 'primary' ? <IconStarFilled size={16} /> : <IconCornerDownRight size={18} />}
      </div>
      <div className="domain-text">
        <Group gap={8}>
          <Anchor component={Link} href={page} fw={600} className="wrap-anywhere">
            {unicode}
          </Anchor>
          <StateTag state={state} />
          <Tag tone={role === 'primary' ? 'green' : 'plain'}>{role}</Tag>
        </Group>
        <Text size="sm" c="dimmed" className="wrap-anywhere">
          {redirect ? `redirects to ${redirect.to} with ${redirect.status}` : 'shows the site'} · {situation(domain)}
        </Text>
      </div>
      {state !== 'live' && (
        <div className="domain-verify">
          <VerifyButton domain={domain} size="xs" variant="default" />
        </div>
      )}
      <div className="domain-menu">
        <DomainMenu domain={domain} />
      </div>
    </li>
  )
}

/** Where it stands, in half a sentence. */
function situation({ state, problems, certificate, servedUntil, issuance }: Domain): string {
  switch (state) {
    case 'awaiting dns':
      return problems.length > 0
        ? `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'} to mend`
        : 'waiting for its DNS record'
    case 'verifying':
      return 'asking its nameservers'
    case 'issuing':
      return issuance?.problem ? 'the certificate has a problem' : 'certificate on its way'
    case 'attention':
      return servedUntil ? 'its DNS has changed' : 'certificate at risk'
    case 'live':
      return certificate ? `certificate renews in ${daysUntil(certificate.renewAt)} days` : 'served'
    case 'removed':
      return 'no longer served'
  }
}
