import { cloneElement, type HTMLAttributes, lazy, type ReactElement, Suspense, useRef, useState } from 'react'
import { useOnceOpened } from './use-once-opened.ts'

const LateTooltip = lazy(() => import('./tooltip.tsx'))
const DELAY_MS = 250

interface HintProps {
  label: string
  delayMs?: number
  children: ReactElement<HTMLAttributes<HTMLElement>>
}

/** A tooltip by pointer, touch and focus; its code is loaded with the first one that is shown. */
export function Hint({ label, delayMs = DELAY_MS, children }: HintProps) {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasShown = useOnceOpened(target !== null)
  const last = useRef<HTMLElement>(null)
  const show = (element: HTMLElement) => {
    clearTimeout(timer.current)
    last.current = element
    timer.current = setTimeout(() => setTarget(element), delayMs)
  }
  const hide = () => {
    clearTimeout(timer.current)
    setTarget(null)
  }
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: (event) => show(event.currentTarget),
        onPointerLeave: hide,
        onFocus: (event) => show(event.currentTarget),
        onBlur: hide,
      })}
      {wasShown && (
        <Suspense>
          <LateTooltip label={label} target={last.current} opened={target !== null} />
        </Suspense>
      )}
    </>
  )
}
