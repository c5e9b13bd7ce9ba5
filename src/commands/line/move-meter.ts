import type { Clock } from '../../platform/clock.ts'
import type { CopyProgress } from '../../platform/storage/copy/copy.ts'
import { bar } from '../../../cli/src/line/bar.ts'
import type { Terminal } from '../../../cli/src/line/terminal.ts'

/** Where nobody watches, a line now and then is enough for a log. */
const LINE_EVERY_MS = 2000

/** Shows how far a move is: a bar on a terminal, a line every two seconds elsewhere. */
export function moveMeter(terminal: Terminal, clock: Clock) {
  let lastLineAt = clock.now()
  return {
    show({ phase, table, rows, total }: CopyProgress): void {
      const text = `${phase} ${rows.toLocaleString('en')} of ${total.toLocaleString('en')} rows  ${table}`
      if (terminal.watched) return terminal.status(`${bar(total === 0 ? 1 : Math.min(1, rows / total))} ${text}`)
      const now = clock.now()
      if (now - lastLineAt < LINE_EVERY_MS) return
      lastLineAt = now
      terminal.note(text)
    },
    end(): void {
      terminal.status('')
    },
  }
}
