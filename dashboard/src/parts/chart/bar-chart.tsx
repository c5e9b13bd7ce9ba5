import './chart.css'
import { Text, VisuallyHidden } from '@mantine/core'
import type { Usage } from '../../api/projects.ts'
import { Hint } from '../hint.tsx'
import { timeText } from '../time.tsx'
import { ChartScale, ChartTimes, roundedUp } from './axes.tsx'
import { DAY_MS, pointText, timesOf } from './times.ts'
import { countText, numberText } from '../count-text.ts'
import { once } from '../once.ts'

const compact = once(() => new Intl.NumberFormat('en', { notation: 'compact' }))

/**
 * Requests over time, one bar an hour or a day. Drawn with plain elements: a chart library would be 118 KB of script,
 * more than everything else on this page together.
 */
export function BarChart({ usage }: { usage: Pick<Usage, 'points' | 'stepMs' | 'from'> }) {
  const { points, stepMs, from } = usage
  const calls = points.reduce((sum, point) => sum + point.calls, 0)
  const failures = points.reduce((sum, point) => sum + point.failures, 0)
  const most = roundedUp(Math.max(4, ...points.map((point) => point.calls)))

  return (
    <figure className="chart">
      <VisuallyHidden>
        {`${countText(calls, 'request')} since ${timeText(from)}, ${numberText(failures)} of them failed.`}
      </VisuallyHidden>
      <div aria-hidden="true">
        <div className="chart-plot">
          <ChartScale text={(share) => compact().format(most * share)} />
          <div className="chart-bars">
            {points.map((point) => (
              <Hint key={point.at} label={labelOf(point, stepMs)} delayMs={0}>
                <div className="chart-column">
                  <div className="chart-bar is-failed" style={{ height: `${(100 * point.failures) / most}%` }} />
                  <div className="chart-bar" style={{ height: `${(100 * (point.calls - point.failures)) / most}%` }} />
                </div>
              </Hint>
            ))}
          </div>
          {calls === 0 && <p className="chart-empty">No requests in this time.</p>}
        </div>
        <ChartTimes points={points} stepMs={stepMs} />
      </div>
      <figcaption className="chart-legend">
        <Text span size="xs" c="dimmed">
          <i className="chart-mark" /> answered
        </Text>
        <Text span size="xs" c="dimmed">
          <i className="chart-mark is-failed" /> failed
        </Text>
        {stepMs >= DAY_MS && (
          <Text span size="xs" c="dimmed">
            days of UTC
          </Text>
        )}
      </figcaption>
    </figure>
  )
}

function labelOf({ at, calls, failures }: Usage['points'][number], stepMs: number): string {
  const failed = failures > 0 ? `, ${numberText(failures)} failed` : ''
  return `${pointText(at, timesOf(stepMs).point)}: ${countText(calls, 'request')}${failed}`
}
