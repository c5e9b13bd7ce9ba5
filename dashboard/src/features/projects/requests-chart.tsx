import { Text, Tooltip, VisuallyHidden } from '@mantine/core'
import type { Usage } from '../../api/projects.ts'
import { timeText } from '../../parts/time.tsx'

const whole = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact' })
const hour = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' })

const DAY_MS = 86_400_000
const LABELS_MAX = 7

/**
 * Requests over time, one bar an hour or a day. Drawn with plain elements: a chart library would be 118 KB of script,
 * more than everything else on this page together.
 */
export function RequestsChart({ usage }: { usage: Usage }) {
  const { points, stepMs, from } = usage
  const time = stepMs < DAY_MS ? hour : day
  const calls = points.reduce((sum, point) => sum + point.calls, 0)
  const failures = points.reduce((sum, point) => sum + point.failures, 0)
  const most = roundedUp(Math.max(4, ...points.map((point) => point.calls)))
  const labelEvery = Math.ceil(points.length / LABELS_MAX)

  return (
    <figure className="chart">
      <VisuallyHidden>
        {`${whole.format(calls)} requests since ${timeText(from)}, ${whole.format(failures)} of them failed.`}
      </VisuallyHidden>
      <div aria-hidden="true">
        <div className="chart-plot">
          {[1, 0.5, 0].map((share) => (
            <div key={share} className="chart-line" style={{ bottom: `${share * 100}%` }}>
              <span>{compact.format(most * share)}</span>
            </div>
          ))}
          <div className="chart-bars">
            {points.map((point) => (
              <Tooltip key={point.at} label={labelOf(point, time)} openDelay={0}>
                <div className="chart-column">
                  <div className="chart-bar is-failed" style={{ height: `${(100 * point.failures) / most}%` }} />
                  <div className="chart-bar" style={{ height: `${(100 * (point.calls - point.failures)) / most}%` }} />
                </div>
              </Tooltip>
            ))}
          </div>
          {calls === 0 && <p className="chart-empty">No requests in this time.</p>}
        </div>
        <div className="chart-times">
          {points.map((point, at) => (
            <span key={point.at}>{at % labelEvery === 0 ? time.format(new Date(point.at)) : ''}</span>
          ))}
        </div>
      </div>
      <figcaption className="chart-legend">
        <Text span size="xs" c="dimmed">
          <i className="chart-mark" /> answered
        </Text>
        <Text span size="xs" c="dimmed">
          <i className="chart-mark is-failed" /> failed
        </Text>
      </figcaption>
    </figure>
  )
}

function labelOf({ at, calls, failures }: Usage['points'][number], time: Intl.DateTimeFormat): string {
  const failed = failures > 0 ? `, ${whole.format(failures)} failed` : ''
  return `${time.format(new Date(at))}: ${whole.format(calls)} ${calls === 1 ? 'request' : 'requests'}${failed}`
}

/** To the next 1, 2, 4, 5 or 10 with zeros behind it, so that the lines stand at round numbers. */
function roundedUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 10].find((times) => times * unit >= value) ?? 10) * unit
}
