/** Text with times in it: how long ago or how soon, or the time itself. */
export type Sentence = readonly (string | { ago: string } | { on: string })[]

/** The one thing to do next. */
type Next =
  | 'create record'
  | 'create records'
  | 'mend record'
  | 'mend certificate'
  | 'wait'
  | 'switch'
  | 'visit'
  | 'clean up'

export interface Step {
  title: string
  mark: 'done' | 'now' | 'waiting' | 'trouble'
  about: Sentence
}

export interface Situation {
  headline: string
  sentence: Sentence
  next: Next
  /** From the DNS record to the live site. */
  steps: readonly Step[]
  /** The same in half a line, for lists. */
  line: string
}
