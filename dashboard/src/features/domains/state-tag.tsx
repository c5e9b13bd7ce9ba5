import type { DomainState } from '../../api/domains.ts'
import { Tag, type Tone } from '../../parts/tag.tsx'

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

export function StateTag({ state }: { state: DomainState }) {
  const { tone, text, busy = false } = LOOKS[state]
  return (
    <Tag tone={tone} dot busy={busy}>
      {text}
    </Tag>
  )
}
