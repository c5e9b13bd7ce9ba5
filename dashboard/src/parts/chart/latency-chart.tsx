import './chart.css'
import { Text } from '@mantine/core'
import type { Requests } from '../../../../client/src/platform/platform.ts'
import { ChartScale, ChartTimes, roundedUp } from './axes.tsx'
import { millisecondsText } from './milliseconds-text.ts'

const LINES = ['p50', 'p95', 'p99'] as const
const WIDTH = 1000
const HEIGHT = 100

/** Percentiles over time, as lines that end where there was no request. */
export function LatencyChart({ points, stepMs }: Pick<Requests, 'points' | 'stepMs'>) {
  const most = roundedUp(Math.max(1, ...points.map(({ p99 }) => p99 ?? 0)))
  return (
    <figure className="chart" aria-hidden="true">
      <p className="chart-title">Time to answer</p>
      <div className="chart-plot">
        <ChartScale text={(share) => millisecondsText(most * share)} />
        <svg className="lines" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
          {LINES.map((line) => (
            <path
              key={line}
              className={`is-${line}`}
              d={pathOf(
                points.map((point) => point[line]),
                most,
              )}
            />
          ))}
        </svg>
      </div>
      <ChartTimes points={points} stepMs={stepMs} />
      <figcaption className="chart-legend">
        {LINES.map((line) => (
          <Text key={line} span size="xs" c="dimmed">
            <i className={`chart-mark is-${line}`} /> {line}
          </Text>
        ))}
      </figcaption>
    </figure>
  )
}

/** A point alone is a short stroke, or nobody would see it. */
function pathOf(values: readonly (number | null)[], most: number): string {
  const step = WIDTH / values.length
  let path = ''
  values.forEach((value, at) => {
    if (value === null) return
    const x = (at + 0.5) * step
    const y = HEIGHT - (value / most) * HEIGHT
    if ((values[at - 1] ?? null) !== null) path += `L${x.toFixed(1)} ${y.toFixed(2)}`
    else if ((values[at + 1] ?? null) !== null) path += `M${x.toFixed(1)} ${y.toFixed(2)}`
    else path += `M${(x - step / 3).toFixed(1)} ${y.toFixed(2)}h${((step * 2) / 3).toFixed(1)}`
  })
  return path
}
