import '@mantine/charts/styles.layer.css'
import { AreaChart } from '@mantine/charts'
import { Table, Text, VisuallyHidden } from '@mantine/core'
import type { Usage } from '../../api/projects.ts'

const whole = new Intl.NumberFormat('en')
const hour = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })

const DAY_MS = 86_400_000

/** Requests over time, and by operation. */
export default function RequestsChart({ usage }: { usage: Usage }) {
  const label = usage.stepMs < DAY_MS ? hour : day
  const points = usage.points.map(({ at, calls, failures }) => ({
    at: label.format(new Date(at)), Requests: calls, Failed: failures,
  }))
  const calls = usage.points.reduce((sum, point) => sum + point.calls, 0)
  const failures = usage.points.reduce((sum, point) => sum + point.failures, 0)
  const operations = usage.operations.toSorted((a, b) => b.calls - a.calls)

  return (
    <>
      <VisuallyHidden>
        {`${whole.format(calls)} requests since ${new Date(usage.from).toLocaleString('en')}, ${whole.format(failures)} of them failed.`}
      </VisuallyHidden>
      {/* The sentence above and the table below say the same without sight. */}
      <div aria-hidden="true" className="chart">
        <AreaChart
          h={210} data={points} dataKey="at" curveType="monotone" withDots={false} strokeWidth={2} gridAxis="x"
          series={[
            { name: 'Requests', color: 'var(--accent)' },
            { name: 'Failed', color: 'var(--red)' },
          ]}
          withLegend legendProps={{ verticalAlign: 'bottom', height: 28 }} fillOpacity={0.16}
          yAxisProps={{ width: 40, allowDecimals: false, domain: [0, calls === 0 ? 4 : 'auto'] }} xAxisProps={{ minTickGap: 36 }}
          withTooltip={calls > 0} valueFormatter={(value) => whole.format(value)} tooltipAnimationDuration={0}
          areaProps={{ isAnimationActive: false }}
        />
        {calls === 0 && <p className="chart-empty">No requests in this time.</p>}
      </div>
      {operations.length > 0 && (
        <Table className="operations" mt="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Operation</Table.Th>
              <Table.Th ta="right">Requests</Table.Th>
              <Table.Th ta="right">Failed</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {operations.map(({ operation, calls: own, failures: failed }) => (
              <Table.Tr key={operation}>
                <Table.Td className="mono">{operation}</Table.Td>
                <Table.Td ta="right" className="number">
                  {whole.format(own)}
                </Table.Td>
                <Table.Td ta="right" className="number">
                  {failed === 0 ? <Text span inherit c="dimmed">0</Text> : whole.format(failed)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  )
}
