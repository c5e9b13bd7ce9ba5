import { notifications } from '@mantine/notifications'
import type { Pet } from '../../api/pets.ts'
import { countText } from '../../parts/count-text.ts'
import type { EachOutcome } from '../../parts/each.ts'

type Refused = EachOutcome<Pet>['failed']

const NAMED_MAX = 4

export function sayRefused(refused: Refused, title: string): void {
  if (refused.length === 0) return
  notifications.show({ color: 'red', title, autoClose: 12_000, message: <RefusedList refused={refused} /> })
}

/** Which ones, and why; the first of many. */
export function RefusedList({ refused }: { refused: Refused }) {
  const [only] = refused
  if (refused.length === 1 && only) return only.why
  return (
    <ul className="refused">
      {refused.slice(0, NAMED_MAX).map(({ item, why }) => (
        <li key={String(item.id)}>
          {item.name}: {why}
        </li>
      ))}
      {refused.length > NAMED_MAX && <li>and {countText(refused.length - NAMED_MAX, 'animal')} more</li>}
    </ul>
  )
}
