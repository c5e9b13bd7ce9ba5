import { Link } from 'wouter'
import type { BoundedCount, Environment, Overview } from '../../api/projects.ts'
import { useProject } from './project-context.ts'
import { numberText } from '../../parts/count-text.ts'
import { WaitingBar } from '../../parts/waiting-bar.tsx'

interface NumbersProps {
  overview: Overview | undefined
  environment: Environment
}

/** One environment at a glance; each number says which. */
export function Numbers({ overview, environment }: NumbersProps) {
  const { slug } = useProject()
  const store = `/projects/${slug}/${environment}`
  const animals = overview?.animals[environment]
  const lastDay = overview?.lastDay[environment]
  return (
    <dl className="numbers">
      <NumberTile
        of={environment}
        label="Available"
        href={`${store}/animals?status=available`}
        value={animals && countText(animals.available)}
      />
      <NumberTile
        of={environment}
        label="Pending"
        href={`${store}/animals?status=pending`}
        value={animals && countText(animals.pending)}
      />
      <NumberTile
        of={environment}
        label="Sold"
        href={`${store}/animals?status=sold`}
        value={animals && countText(animals.sold)}
      />
      <NumberTile
        of={environment}
        label="Open orders"
        href={`${store}/orders?status=placed`}
        value={overview && countText(overview.openOrders[environment])}
      />
      <NumberTile
        of={environment}
        label="Requests in 24 h"
        value={lastDay && numberText(lastDay.calls)}
        note={lastDay && lastDay.failures > 0 ? `${numberText(lastDay.failures)} failed` : undefined}
      />
    </dl>
  )
}

interface NumberTileProps {
  /** The environment that it counts. */
  of: Environment
  label: string
  value: string | undefined
  href?: string
  note?: string | undefined
}

function NumberTile({ of, label, value, href, note }: NumberTileProps) {
  return (
    <div className="number-tile">
      <dt>{href === undefined ? label : <Link href={href}>{label}</Link>}</dt>
      <dd className="number">{value === undefined ? <WaitingBar height={26} width={48} /> : value}</dd>
      <dd className="number-note">
        in {of}
        {note !== undefined && <span className="number-failed">, {note}</span>}
      </dd>
    </div>
  )
}

const countText = ({ count, more }: BoundedCount) => numberText(count) + (more ? '+' : '')
