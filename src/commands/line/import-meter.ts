import type { ImportProgress } from '../../features/pets/import/import.ts'
import type { ImportSource } from '../../features/pets/import/source.ts'
import type { Clock } from '../../platform/clock.ts'
import { bar } from '../../../cli/src/line/bar.ts'
import type { Terminal } from '../../../cli/src/line/terminal.ts'

/** Where nobody watches, a line now and then is enough for a log. */
const LINE_EVERY_MS = 2000

/** Shows how far an import is: a bar on a terminal, a line every two seconds elsewhere. */
export function importMeter(terminal: Terminal, clock: Clock, source: ImportSource) {
  let first: { at: number; progress: ImportProgress } | undefined
  let lastLineAt = 0

  return {
    show(progress: ImportProgress): void {
      const now = clock.now()
      if (!first) {
        first = { at: now, progress }
        lastLineAt = now
        if (progress.animals > 0) terminal.note(`${source.name}: going on behind line ${progress.lines}`)
      }
      const text = describe(progress, first.progress, (now - first.at) / 1000, source.bytes)
      if (terminal.watched) return terminal.status(`${bar(share(progress, source.bytes))} ${text}`)
      if (now - lastLineAt < LINE_EVERY_MS) return
      lastLineAt = now
      terminal.note(text)
    },
    end(): void {
      terminal.status('')
    },
  }
}

function describe(now: ImportProgress, first: ImportProgress, seconds: number, totalBytes: number): string {
  const parts = [
    `${Math.floor(share(now, totalBytes) * 100)} %`.padStart(5),
    `${megabytes(now.bytes)} of ${megabytes(totalBytes)} MB`,
    `${now.animals.toLocaleString('en')} animals`,
  ]
  if (seconds > 0 && now.bytes > first.bytes) {
    const left = ((totalBytes - now.bytes) / (now.bytes - first.bytes)) * seconds
    parts.push(`${Math.round((now.animals - first.animals) / seconds).toLocaleString('en')}/s`, `${minutes(left)} left`)
  }
  return parts.join('  ')
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

function minutes(seconds: number): string {
  const whole = Math.ceil(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

const share = ({ bytes }: ImportProgress, totalBytes: number) => (totalBytes === 0 ? 1 : bytes / totalBytes)
