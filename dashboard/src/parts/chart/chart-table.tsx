import { VisuallyHidden } from '@mantine/core'
import type { Requests } from '../../../../client/src/platform/platform.ts'
import { timeText } from '../time.tsx'
import { millisecondsText } from './milliseconds-text.ts'

/** The same figures as rows, for those who cannot see the lines; times without a request are left out. */
export function ChartTable({ caption, points }: { caption: string; points: Requests['points'] }) {
  return (
    <VisuallyHidden>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Requests</th>
            <th scope="col">Failed</th>
            <th scope="col">p50</th>
            <th scope="col">p95</th>
            <th scope="col">p99</th>
          </tr>
        </thead>
        <tbody>
          {points
            .filter(({ calls }) => calls > 0)
            .map(({ at, calls, failures, p50, p95, p99 }) => (
              <tr key={at}>
                <th scope="row">{timeText(at)}</th>
                <td>{calls}</td>
                <td>{failures}</td>
                {[p50, p95, p99].map((value, index) => (
                  <td key={index}>{value === null ? '' : millisecondsText(value)}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </VisuallyHidden>
  )
}
