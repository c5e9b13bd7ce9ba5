import { Table, Text } from '@mantine/core'
import type { Usage } from '../../api/projects.ts'

const whole = new Intl.NumberFormat('en')

/** Which operations the requests were for. */
export function OperationsTable({ usage }: { usage: Usage }) {
  const operations = usage.operations.toSorted((a, b) => b.calls - a.calls)
  if (operations.length === 0) return null
  return (
    <Table className="operations" mt="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Operation</Table.Th>
          <Table.Th ta="right">Requests</Table.Th>
          <Table.Th ta="right">Failed</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {operations.map(({ operation, calls, failures }) => (
          <Table.Tr key={operation}>
            <Table.Td className="mono">{operation}</Table.Td>
            <Table.Td ta="right" className="number">
              {whole.format(calls)}
            </Table.Td>
            <Table.Td ta="right" className="number">
              {failures === 0 ? (
                <Text span inherit c="dimmed">
                  0
                </Text>
              ) : (
                whole.format(failures)
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
