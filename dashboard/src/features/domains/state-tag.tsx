import type { Domain } from '../../../../client/src/platform/platform.ts'
import type { DomainState } from '../../api/domains.ts'
import { Tag, type Tone } from '../../parts/tag.tsx'
import { isSwitching } from './preparation-situation.ts'

const LOOKS: Record<DomainState, { tone: Tone; text: string; busy?: boolean }> = {
  'awaiting dns': { tone: 'plain', text: 'awaiting DNS' },
  preparing: { tone: 'plain', text: 'being prepared' },
  ready: { tone: 'green', text: 'ready to switch' },
  verifying: { tone: 'blue', text: 'verifying', busy: true },
  issuing: { tone: 'blue', text: 'issuing certificate', busy: true },
  live: { tone: 'green', text: 'live' },
  attention: { tone: 'warm', text: 'needs attention' },
  removed: { tone: 'red', text: 'removed' },
}

const SWITCHING = { tone: 'blue', text: 'switching', busy: true } as const

export function StateTag({ domain }: { domain: Pick<Domain, 'state' | 'switchSeenAt'> }) {
  const { tone, text, busy = false } = isSwitching(domain) ? SWITCHING : LOOKS[domain.state]
  return (
    <Tag tone={tone} dot busy={busy}>
      {text}
    </Tag>
  )
}
