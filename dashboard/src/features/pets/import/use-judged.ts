import { useEffect, useState } from 'react'
import { type Columns, judgeRow, type ReadFile } from './read-file.ts'

export interface Judged {
  good: number
  bad: number
  /** The first of them. */
  errors: { line: number; why: string; text: string }[]
  isDone: boolean
}

export const ERRORS_SHOWN = 100
/** Some 20 ms of work, so that typing and scrolling go on. */
const ROWS_AT_ONCE = 5000
const NONE: Judged = { good: 0, bad: 0, errors: [], isDone: false }

/** Every row of the file by the rules of the service, a few thousand at a time. */
export function useJudged(file: ReadFile, columns: Columns): Judged {
  const [judged, setJudged] = useState(NONE)
  useEffect(() => {
    let isGone = false
    const found: Judged = { ...NONE, errors: [] }
    const judge = async () => {
      for (const [at, row] of file.rows.entries()) {
        const outcome = judgeRow(file, columns, row)
        if ('pet' in outcome) found.good++
        else if (++found.bad <= ERRORS_SHOWN) found.errors.push({ line: row.line, why: outcome.why, text: row.text })
        if (at % ROWS_AT_ONCE !== ROWS_AT_ONCE - 1) continue
        await new Promise((resolve) => setTimeout(resolve))
        if (isGone) return
        setJudged({ ...found })
      }
      setJudged({ ...found, isDone: true })
    }
    setJudged(NONE)
    void judge()
    return () => {
      isGone = true
    }
  }, [file, columns])
  return judged
}
