import { Fragment } from 'react'
import { TimeAgo, timeText } from '../../parts/time.tsx'
import type { Sentence } from './story.ts'

/** A sentence with its times, each as exact as it is meant. */
export function Said({ sentence }: { sentence: Sentence }) {
  return sentence.map((part, at) => (
    <Fragment key={at}>
      {typeof part === 'string' ? part : 'ago' in part ? <TimeAgo at={part.ago} /> : timeText(part.on)}
    </Fragment>
  ))
}
