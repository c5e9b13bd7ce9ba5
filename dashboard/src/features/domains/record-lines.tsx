import { Button, Group } from '@mantine/core'
import { Link } from 'wouter'
import { IconFlask } from '../../icons/icons.ts'
import type { RecordChange, RecordLine } from '../../api/domains.ts'
import { useInstallation } from '../../api/installation.ts'
import { CopyIcon } from '../../parts/copy.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'

/** A record to create, to keep or to delete. */
export interface ShownLine extends RecordLine {
  ttl?: number
  /** Where a provider may call it otherwise. */
  shownType?: string
  /** Left out where all of them are to be created. */
  side?: 'is' | 'should'
}

const SIDES = { is: 'There is', should: 'There should be' } as const

const FIELDS: Column<ShownLine>[] = [
  { head: 'Type', cell: ({ type, shownType }) => <span className="record-type">{shownType ?? type}</span> },
  { head: 'Name', cell: ({ name, side }) => <Value text={name} what="the name" side={side} /> },
  { head: 'Value', cell: ({ value, side }) => <Value text={value} what="the value" side={side} /> },
]
const TTL: Column<ShownLine> = {
  head: 'TTL',
  cell: ({ ttl, side }) => <Value text={String(ttl ?? '–')} what="the TTL" side={side} isWhole />,
}
const SIDE: Column<ShownLine> = {
  head: 'DNS',
  cell: ({ side }) => side && <span className={`side-mark is-${side}`}>{SIDES[side]}</span>,
}

/** Records with a button beside each value that somebody has to type elsewhere. */
export function RecordLines({ lines }: { lines: ShownLine[] }) {
  const columns = lines.some(({ side }) => side) ? [SIDE, ...FIELDS] : [...FIELDS, TTL]
  return (
    <div className="record-frame">
      <DataTable
        className={`record-table${columns[0] === SIDE ? ' is-difference' : ''}`}
        columns={columns}
        items={lines}
        keyOf={({ side, type, name, value }) => `${side} ${type} ${name} ${value}`}
      />
    </div>
  )
}

/** What is wrong, as a difference. */
export function Difference({ change: { remove, add } }: { change: RecordChange }) {
  const none = (side: 'is' | 'should'): ShownLine => ({ side, type: 'no such record', name: '', value: '' })
  const is = remove.map((line): ShownLine => ({ ...line, side: 'is' }))
  const should = add.map((line): ShownLine => ({
    ...line,
    side: 'should',
    ...(line.type === 'ALIAS' ? { shownType: 'ALIAS or ANAME' } : {}),
  }))
  return (
    <RecordLines lines={[...(is.length > 0 ? is : [none('is')]), ...(should.length > 0 ? should : [none('should')])]} />
  )
}

/** The zone at the registrar of local mode, with the records filled in one after the other. */
export function SandboxButton({ zone, lines }: { zone: string; lines: readonly RecordLine[] }) {
  const { sandbox } = useInstallation()
  if (!sandbox) return null
  const fields = lines.flatMap(({ type, name, value }) => Object.entries({ type, name, value }))
  return (
    <Button
      component={Link}
      href={`/sandbox/${zone}${lines.length === 0 ? '' : `?${new URLSearchParams(fields)}`}`}
      size="xs"
      variant="light"
      leftSection={<IconFlask size={15} />}
    >
      Open at the sandbox registrar
    </Button>
  )
}

interface ValueProps {
  text: string
  what: string
  side: ShownLine['side']
  /** A few digits, which are never broken to make room for longer values. */
  isWhole?: boolean
}

/** Nothing is copied of what has to go. */
function Value({ text, what, side, isWhole = false }: ValueProps) {
  if (text === '') return null
  return (
    <Group gap={4} wrap="nowrap">
      <span className={isWhole ? 'mono' : 'mono wrap-anywhere'}>{text}</span>
      {side !== 'is' && <CopyIcon value={text} what={what} />}
    </Group>
  )
}
