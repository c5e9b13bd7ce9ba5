import type { ReactNode } from 'react'

export type Tone = 'green' | 'warm' | 'red' | 'blue' | 'violet' | 'plain'

interface TagProps {
  tone: Tone
  /** Moves gently while something is under way. */
  busy?: boolean
  dot?: boolean
  children: ReactNode
}

/** A state in one or two words. The colour never says anything that the word does not. */
export function Tag({ tone, busy = false, dot = false, children }: TagProps) {
  return (
    <span className={`tag is-${tone}`}>
      {(dot || busy) && <span className={`tag-dot${busy ? ' is-busy' : ''}`} aria-hidden="true" />}
      {children}
    </span>
  )
}
