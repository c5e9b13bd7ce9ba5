import { pointText, timesOf } from './times.ts'

const LABELS_MAX = 7

/** Lines at the top, the middle and the bottom; `text` is told how high each is. */
export function ChartScale({ text }: { text(share: number): string }) {
  return [1, 0.5, 0].map((share) => (
    <div key={share} className="chart-line" style={{ bottom: `${share * 100}%` }}>
      <span>{text(share)}</span>
    </div>
  ))
}

export function ChartTimes({ points, stepMs }: { points: readonly { at: string }[]; stepMs: number }) {
  const labelEvery = Math.ceil(points.length / LABELS_MAX)
  const { axis } = timesOf(stepMs)
  return (
    <div className="chart-times">
      {points.map((point, at) => (
        <span key={point.at}>{at % labelEvery === 0 ? pointText(point.at, axis) : ''}</span>
      ))}
    </div>
  )
}

/** To the next 1, 2, 4, 5 or 10 with zeros behind it, so that the lines stand at round numbers. */
export function roundedUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 10].find((times) => times * unit >= value) ?? 10) * unit
}
