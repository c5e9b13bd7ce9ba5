import type { PetStatus } from '../../api/pets.ts'
import { Tag, type Tone } from '../../parts/tag.tsx'

const TONES: Record<PetStatus, Tone> = { available: 'green', pending: 'warm', sold: 'plain' }

export function StatusTag({ status }: { status: PetStatus }) {
  return (
    <Tag tone={TONES[status]} dot>
      {status}
    </Tag>
  )
}
