import { type ComponentType, type ReactElement, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

export interface OnDemandProps {
  /** The button, which keeps its look. */
  children: ReactElement<{ onClick?: () => void }>
  /** It was pressed before the code had come. */
  defaultOpened: boolean
}

interface ButtonProps {
  load(): Promise<{ default: ComponentType<OnDemandProps> }>
  children: OnDemandProps['children']
}

/** A button whose menu is loaded when somebody comes near it: menus and what places them are 30 KB of script. */
export function OnDemand({ load, children }: ButtonProps) {
  const [Menu, setMenu] = useState<ComponentType<OnDemandProps> | null>(null)
  const wasPressed = useRef(false)
  const isDown = useRef(false)
  const place = useRef<HTMLSpanElement>(null)
  const near = () =>
    void load().then(({ default: loaded }) => {
      // A button that is another one when the mouse button comes up again is not clicked: the click itself goes on.
      if (isDown.current) return
      const hadFocus = place.current?.contains(document.activeElement)
      flushSync(() => setMenu(() => loaded))
      if (hadFocus) place.current?.querySelector('button')?.focus()
    })
  const press = () => {
    isDown.current = false
    wasPressed.current = true
    near()
  }
  const waiting = {
    onPointerEnter: near,
    onFocus: near,
    onPointerDown: () => (isDown.current = true),
    onClick: press,
  }
  return (
    <span ref={place} className="contents" {...(Menu ? {} : waiting)}>
      {Menu ? <Menu defaultOpened={wasPressed.current}>{children}</Menu> : children}
    </span>
  )
}
