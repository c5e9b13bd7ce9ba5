import { Alert, Stack } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '../../icons/icons.ts'
import type { SiteFacts, SwitchComparison } from '../../api/domains.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { timeText, withLocalTimes } from '../../parts/time.tsx'
import { lengthText } from './hsts-choices.ts'
import { issuerText } from './issuer-text.ts'

interface Row {
  what: string
  there: string
  here: string
}

const COLUMNS: Column<Row>[] = [
  { head: 'What', fw: 550, cell: ({ what }) => what },
  { head: 'There, today', className: 'wrap-anywhere', cell: ({ there }) => there },
  { head: 'Here', className: 'wrap-anywhere', cell: ({ here }) => here },
]

/** What is served today beside what would be, and above it what to do first. */
export function ComparisonTable({ comparison }: { comparison: SwitchComparison }) {
  return (
    <Stack gap="md">
      <ol className="switch-advice" aria-label="What to do first">
        {comparison.advice.map(({ code, isUrgent, text }) => (
          <li key={code}>
            <Alert
              className={isUrgent ? 'trouble' : code === 'nothing' ? 'notice is-green' : 'notice'}
              icon={
                isUrgent ? (
                  <IconAlertTriangle size={18} />
                ) : code === 'nothing' ? (
                  <IconCircleCheck size={18} />
                ) : (
                  <IconInfoCircle size={18} />
                )
              }
            >
              {withLocalTimes(text)}
            </Alert>
          </li>
        ))}
      </ol>
      <DataTable className="rows card-rows" columns={COLUMNS} items={rowsOf(comparison)} keyOf={({ what }) => what} />
    </Stack>
  )
}

function rowsOf({ there, here, caa }: SwitchComparison): Row[] {
  const certificate = here.certificateHere
  const at = (tell: (facts: SiteFacts) => string) => (there ? tell(there) : 'nothing in DNS')
  return [
    { what: 'Answer', there: at(answerText), here: answerText(here) },
    { what: 'Title', there: at(titleText), here: titleText(here) },
    { what: 'Redirects', there: at(redirectsText), here: redirectsText(here) },
    {
      what: 'Certificate',
      there: at((facts) => (facts.certificate ? certificateText(facts.certificate) : 'none')),
      here: certificate ? certificateText(certificate) : 'comes after the switch',
    },
    {
      what: 'HTTPS only (HSTS)',
      there: at((facts) => facts.hsts ?? 'off'),
      here: here.hstsSeconds === null ? 'off' : lengthText(here.hstsSeconds),
    },
    {
      what: 'DNS record',
      there: there && there.records.length > 0 ? there.records.join(', ') : 'none',
      here: 'as shown above',
    },
    { what: 'CAA', there: '', here: caa },
  ]
}

const answerText = ({ status, error }: SiteFacts) => error ?? String(status)
const titleText = ({ title }: SiteFacts) => title ?? '–'
const redirectsText = ({ redirects, url }: SiteFacts) =>
  redirects.length === 0 ? 'none' : [...redirects.map((stop) => `${stop.url} (${stop.status})`), url].join(' → ')
const certificateText = ({ issuer, notAfter }: { issuer: string; notAfter: string }) =>
  `by ${issuerText(issuer)}, until ${timeText(notAfter)}`
