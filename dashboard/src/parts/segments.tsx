import { useId } from 'react'

interface SegmentsProps<Value extends string> {
  label: string
  choices: readonly { value: Value; label: string }[]
  value: Value
  change(chosen: Value): void
  className?: string
}

/** One of a few, side by side: radio buttons of the browser's own, because every page has them in its frame. */
export function Segments<Value extends string>({ label, choices, value, change, className }: SegmentsProps<Value>) {
  const name = useId()
  return (
    <div className={className ? `segments ${className}` : 'segments'} role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => change(choice.value)}
          />
          <span>{choice.label}</span>
        </label>
      ))}
    </div>
  )
}
