import { IconAlertTriangle, IconCheck } from '../../icons/icons.ts'
import { Said } from './said.tsx'
import type { Step } from './story.ts'

/** From the DNS record to the live site, as it happens. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="progress-steps" aria-label="Progress">
      {steps.map(({ title, mark, about }, index) => (
        <li key={title} className={`progress-step is-${mark}`}>
          <span className="progress-mark">
            {mark === 'done' ? <IconCheck size={16} stroke={2.5} aria-label="done" /> : null}
            {mark === 'trouble' ? <IconAlertTriangle size={16} aria-label="has a problem" /> : null}
            {mark === 'now' || mark === 'waiting' ? <span aria-hidden="true">{index + 1}</span> : null}
          </span>
          <span className="progress-text">
            <span className="progress-title">{title}</span>
            <span className="progress-about">
              <Said sentence={about} />
            </span>
          </span>
        </li>
      ))}
    </ol>
  )
}
