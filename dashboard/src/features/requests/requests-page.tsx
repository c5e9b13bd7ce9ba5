import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '../../api/keys.ts'
import type { Environment } from '../../api/projects.ts'
import {
  type Requests,
  type RequestsRange,
  type RequestTotals,
  requestsQuery,
  trafficQuery,
} from '../../api/requests.ts'
import { EnvironmentBand } from '../../frame/environment-band.tsx'
import { BarChart } from '../../parts/chart/bar-chart.tsx'
import { ChartTable } from '../../parts/chart/chart-table.tsx'
import { LatencyChart } from '../../parts/chart/latency-chart.tsx'
import { countText } from '../../parts/count-text.ts'
import { Page } from '../../parts/page.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { Segments } from '../../parts/segments.tsx'
import { useListAddress } from '../../parts/use-list-address.ts'
import { useProject } from '../projects/project-context.ts'
import { FailedSection } from './failed-section.tsx'
import { TotalsTable } from './totals-table.tsx'
import { WaitingBar } from '../../parts/waiting-bar.tsx'

const RANGES: { value: RequestsRange; label: string; words: string }[] = [
  { value: 'hour', label: '1 h', words: 'in the last hour' },
  { value: 'day', label: '24 h', words: 'in the last 24 hours' },
  { value: 'week', label: '7 days', words: 'in the last 7 days' },
  { value: 'month', label: '30 days', words: 'in the last 30 days' },
]
const DAY = RANGES[1] as (typeof RANGES)[number]

/** How the interface and the site are doing, and why calls failed. */
export default function RequestsPage({ environment }: { environment: Environment }) {
  const { slug } = useProject()
  const address = useListAddress()
  const { value: range, words } = RANGES.find(({ value }) => value === address.get('range')) ?? DAY
  const requests = useQuery(requestsQuery(slug, { environment, range }))
  const nameOf = useKeyNames()
  return (
    <Page
      title="Requests"
      actions={
        <Segments
          label="Time range"
          choices={RANGES}
          value={range}
          change={(chosen) => address.look({ range: chosen === DAY.value ? null : chosen })}
        />
      }
    >
      <EnvironmentBand environment={environment} />
      <Charts title={`Requests to ${environment}`} words={words} query={requests} />
      {requests.data && requests.data.total.calls > 0 && (
        <>
          <TotalsTable
            title="By operation"
            head="Operation"
            rows={requests.data.what.map(({ what, ...of }) => ({ name: what, ...of }))}
          />
          <TotalsTable
            title="By key"
            head="Key"
            rows={requests.data.who.map(({ who, ...of }) => ({ name: nameOf(who), ...of }))}
          />
        </>
      )}
      <FailedSection environment={environment} nameOf={nameOf} />
      <SiteTraffic range={range} words={words} />
    </Page>
  )
}

function SiteTraffic({ range, words }: { range: RequestsRange; words: string }) {
  const { slug } = useProject()
  const traffic = useQuery(trafficQuery(slug, { range }))
  return (
    <>
      <Charts title="Visits of the site" words={words} query={traffic} />
      {traffic.data && traffic.data.total.calls > 0 && (
        <>
          <TotalsTable
            title="By host"
            head="Host"
            rows={traffic.data.who.map(({ who, ...of }) => ({ name: who, ...of }))}
          />
          <TotalsTable
            title="By status"
            head="Status"
            rows={traffic.data.what.map(({ what, ...of }) => ({ name: what, ...of }))}
          />
        </>
      )}
    </>
  )
}

interface ChartsProps {
  title: string
  words: string
  query: ReturnType<typeof useQuery<Requests>>
}

function Charts({ title, words, query }: ChartsProps) {
  return (
    <Section title={title} description={query.data && totalText(query.data.total, words)}>
      <QueryGuard query={query} waiting={<WaitingBar height={250} />}>
        {(shown) => (
          <>
            <BarChart usage={shown} />
            {shown.total.calls > 0 && (
              <>
                <LatencyChart points={shown.points} stepMs={shown.stepMs} />
                <ChartTable caption={`${title} ${words}`} points={shown.points} />
              </>
            )}
          </>
        )}
      </QueryGuard>
    </Section>
  )
}

function totalText({ calls, failures }: RequestTotals, words: string): string {
  if (calls === 0) return `None ${words}.`
  const failed = failures === 0 ? 'none failed' : countText(failures, 'failed', 'failed')
  return `${countText(calls, 'request')} ${words}, ${failed}.`
}

/** Keys that are gone are shown by their ids. */
function useKeyNames(): (id: string) => string {
  const { slug } = useProject()
  const { data: keys = [] } = useQuery(keysQuery(slug))
  const names = new Map(keys.map(({ id, name, hint }) => [id, `${name} (${hint})`]))
  return (id) => names.get(id) ?? id
}
