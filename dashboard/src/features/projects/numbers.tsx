import { Skeleton } from '@mantine/core'
import { Link } from 'wouter'
import type { BoundedCount, Overview } from '../../api/projects.ts'
import { useProject } from './project-context.ts'

const whole = new Intl.NumberFormat('en')

/** The shop at a glance; staging counts for nothing here. */
export function Numbers({ overview }: { overview: Overview | undefined }) {
  const { slug } = useProject()
  const store = `/projects/${slug}/production`
  const animals = overview?.animals.production
  return (
    <dl className="numbers">
      <NumberTile
        label="Available"
        href={`${store}/animals?status=available`}
        value={animals && countText(animals.available)}
      />
      <NumberTile
        label="Pending"
        href={`${store}/animals?status=pending`}
        value={animals && countText(animals.pending)}
      />
      <NumberTile label="Sold" href={`${store}/animals?status=sold`} value={animals && countText(animals.sold)} />
      <NumberTile
        label="Open orders"
        href={`${store}/orders?status=placed`}
        value={overview && countText(overview.openOrders.production)}
      />
      <NumberTile
        label="Requests in 24 h"
        value={overview && whole.format(overview.lastDay.calls)}
        note={
          overview && overview.lastDay.failures > 0 ? `${whole.format(overview.lastDay.failures)} failed` : undefined
        }
      />
    </dl>
  )
}

interface NumberTileProps {
  label: string
  value: string | undefined
  href?: string
  note?: string | undefined
}

function NumberTile({ label, value, href, note }: NumberTileProps) {
  return (
    <div className="number-tile">
      <dt>{href === undefined ? label : <Link href={href}>{label}</Link>}</dt>
      <dd className="number">{value === undefined ? <Skeleton height={26} width={48} /> : value}</dd>
      {note !== undefined && <dd className="number-note">{note}</dd>}
    </div>
  )
}

const countText = ({ count, more }: BoundedCount) => whole.format(count) + (more ? '+' : '')
