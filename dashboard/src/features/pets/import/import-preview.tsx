import { Alert, Button, Group, Select, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { FIELDS } from '../../../../../src/features/pets/import/csv-text.ts'
import { findImport } from '../../../api/imports.ts'
import type { Environment } from '../../../api/projects.ts'
import { useAccount } from '../../../api/session.ts'
import { countText } from '../../../parts/count-text.ts'
import { TimeAgo } from '../../../parts/time.tsx'
import { Refusal } from '../../../parts/trouble.tsx'
import { useProject } from '../../projects/project-context.ts'
import { fingerprintOf, nextFingerprint } from './fingerprint.ts'
import { type Columns, columnsByName, fieldsMissing, judgeRow, type ReadFile } from './read-file.ts'
import { RowErrors } from './row-errors.tsx'
import { runImport } from './run-import.tsx'
import { useJudged } from './use-judged.ts'

const LABELS: Record<string, string> = { name: 'Name', categoryId: 'Category', status: 'Status' }
const ROWS_SHOWN = 5

interface ImportPreviewProps {
  file: File
  read: ReadFile
  environment: Environment
  back(): void
  close(): void
}

/** What would be added, before anything is. */
export function ImportPreview({ file, read, environment, back, close }: ImportPreviewProps) {
  const { slug } = useProject()
  const { id: account } = useAccount()
  const [columns, setColumns] = useState<Columns>(useMemo(() => columnsByName(read), [read]))
  const judged = useJudged(read, columns)
  const missing = read.format === 'csv' ? fieldsMissing(columns) : []

  /** Begins, unless just this file is stored already and nobody has said that it is to be added once more. */
  const start = useMutation({
    mutationFn: async ({ again }: { again: boolean }) => {
      const named = { account, slug, environment, sha256: await fingerprintOf(file, read.format, columns) }
      let known = await findImport(named)
      const next = async () => {
        named.sha256 = await nextFingerprint(named.sha256)
        known = await findImport(named)
      }
      // Blank rows counted until 2026-11-18: what was begun by this name stands elsewhere in the file.
      if (read.hasBlankRows && known.finishedAt === null) await next()
      if (known.finishedAt !== null && !again) return known
      while (known.finishedAt !== null) await next()
      const kept = { ...named, name: file.name, columns, animalsBefore: known.animals, file }
      void runImport({ ...kept, format: read.format }, read)
      close()
      return null
    },
  })

  return (
    <Stack gap="md">
      <Text size="sm">
        <strong className="wrap-anywhere">{file.name}</strong>, {countText(read.rows.length, 'row')}
      </Text>
      {read.format === 'csv' && <Mapping names={read.names} columns={columns} change={setColumns} />}
      {missing.length > 0 ? (
        <Text size="sm" c="dimmed">
          Choose a column for {missing.map((name) => LABELS[name] ?? name).join(' and ')}.
        </Text>
      ) : (
        <>
          <FirstRows read={read} columns={columns} />
          <Text size="sm" role="status" className="number">
            {judged.isDone ? 'All rows checked' : 'Checking the rows …'}: {countText(judged.good, 'animal')} to add
            {judged.bad > 0 && `, ${countText(judged.bad, 'row')} left out because of errors`}.
          </Text>
          {judged.bad > 0 && <RowErrors judged={judged} />}
        </>
      )}
      <Refusal error={start.error} />
      {start.data && (
        <Alert color="gray" title="This file has been imported already">
          <Stack gap="sm" align="flex-start">
            <Text size="sm">
              Its {countText(start.data.animals, 'animal')} were added <TimeAgo at={start.data.finishedAt as string} />.
            </Text>
            <Button size="xs" variant="default" onClick={() => start.mutate({ again: true })}>
              Add them once more
            </Button>
          </Stack>
        </Alert>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={back}>
          Another file
        </Button>
        <Button
          disabled={missing.length > 0 || !judged.isDone || judged.good === 0}
          loading={start.isPending}
          onClick={() => start.mutate({ again: false })}
        >
          Import {countText(judged.good, 'animal')}
        </Button>
      </Group>
    </Stack>
  )
}

interface MappingProps {
  names: readonly string[]
  columns: Columns
  change(columns: Columns): void
}

function Mapping({ names, columns, change }: MappingProps) {
  // Two columns may have one name, and a column none.
  const data = names.map((name, at) => ({ value: String(at), label: `${at + 1}: ${name || 'without a name'}` }))
  return (
    <SimpleGrid cols={{ base: 1, sm: FIELDS.length }}>
      {FIELDS.map(({ name, schema }) => (
        <Select
          key={name}
          label={LABELS[name] ?? name}
          placeholder={schema.optional ? 'None: available' : 'Choose a column'}
          clearable={schema.optional === true}
          data={data}
          value={columns[name] == null ? null : String(columns[name])}
          onChange={(at) => change({ ...columns, [name]: at === null ? null : Number(at) })}
        />
      ))}
    </SimpleGrid>
  )
}

function FirstRows({ read, columns }: { read: ReadFile; columns: Columns }) {
  return (
    <div className="import-rows">
      <Table aria-label="The first rows, as they would be added" fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Line</Table.Th>
            {FIELDS.map(({ name }) => (
              <Table.Th key={name}>{LABELS[name] ?? name}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {read.rows.slice(0, ROWS_SHOWN).map((row) => {
            const judged = judgeRow(read, columns, row)
            return (
              <Table.Tr key={row.line}>
                <Table.Td className="mono">{row.line}</Table.Td>
                {'pet' in judged ? (
                  <>
                    <Table.Td className="wrap-anywhere">{judged.pet.name}</Table.Td>
                    <Table.Td className="mono">{String(judged.pet.categoryId)}</Table.Td>
                    <Table.Td>{judged.pet.status ?? 'available'}</Table.Td>
                  </>
                ) : (
                  <Table.Td colSpan={FIELDS.length} className="import-error">
                    {judged.why}
                  </Table.Td>
                )}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </div>
  )
}
