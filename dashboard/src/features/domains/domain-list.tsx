import { Anchor, Group, Text } from '@mantine/core'
import { Link } from 'wouter'
import { IconCornerDownRight, IconStarFilled } from '../../icons/icons.ts'
import type { Domain } from '../../api/domains.ts'
import { Tag } from '../../parts/tag.tsx'
import { useNow } from '../../parts/time.tsx'
import { useProject } from '../projects/project-context.ts'
import { DomainMenu } from './domain-menu.tsx'
import { situationOf } from './situation.ts'
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
  const { hostname, unicode, role, state } = domain
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
          <StateTag domain={domain} />
          <Tag tone={role === 'primary' ? 'green' : 'plain'}>{role}</Tag>
        </Group>
        <Text size="sm" c="dimmed" className="wrap-anywhere">
          {situationOf(domain, useNow()).line}
        </Text>
      </div>
      {state !== 'live' && (
        <div className="domain-verify">
          <VerifyButton domain={domain} isOneOfMany size="xs" variant="default" />
        </div>
      )}
      <div className="domain-menu">
        <DomainMenu domain={domain} />
      </div>
    </li>
  )
}
