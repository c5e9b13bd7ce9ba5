import { bar } from './bar.ts'
import { inMegabytes } from './bytes.ts'
import type { Clock } from './clock.ts'
import type { Terminal } from './terminal.ts'

/** Where nobody watches, a line now and then is enough for a log. */
const LINE_EVERY_MS = 2000

interface Amount {
  files: number
  bytes: number
}

/** Shows how far a deploy is: a bar on a terminal, a line every two seconds elsewhere. */
export function deployMeter(terminal: Terminal, clock: Clock) {
  const read: Amount = { files: 0, bytes: 0 }
  let lastLineAt = clock.now()

  function show(share: number, text: string): void {
    if (terminal.watched) return terminal.status(`${bar(share)} ${text}`)
    const now = clock.now()
    if (now - lastLineAt < LINE_EVERY_MS) return
    lastLineAt = now
    terminal.note(text)
  }

  return {
    read(bytes: number, total: number): void {
      read.files++
      read.bytes += bytes
      show(read.files / total, `reading ${read.files} of ${total} files  ${inMegabytes(read.bytes)}`)
    },
    sent({ files, bytes }: Amount, missing: readonly { bytes: number }[]): void {
      const total = missing.reduce((sum, blob) => sum + blob.bytes, 0)
      const share = total === 0 ? 1 : Math.min(1, bytes / total)
      show(share, `sending ${files} of ${missing.length} files  ${inMegabytes(bytes)} of ${inMegabytes(total)}`)
    },
    end(): void {
      terminal.status('')
    },
  }
}
