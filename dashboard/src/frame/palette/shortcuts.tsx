import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useOnceOpened } from '../../parts/use-once-opened.ts'
import { useEnvironmentSwitch } from '../environment.ts'
import { openPalette, paletteOpener } from './open-palette.ts'
import { placesOf } from './places.ts'
import { areKeysOn } from './single-keys.ts'
import { useVisible } from './use-visible.ts'

const Palette = lazy(() => import('./palette.tsx'))
const ShortcutsSheet = lazy(() => import('./shortcuts-sheet.tsx'))

/** So long `g` waits for the letter behind it. */
const SEQUENCE_MS = 1200

/** Listens for the whole page; what it opens is loaded when it is first opened. */
export function Shortcuts() {
  const [shown, setShown] = useState<'palette' | 'help' | null>(null)
  const [isPalette, isHelp] = [shown === 'palette', shown === 'help']
  const [wasPalette, wasHelp] = [useOnceOpened(isPalette), useOnceOpened(isHelp)]
  const visible = useVisible()
  const changeEnvironment = useEnvironmentSwitch()
  const [, go] = useLocation()
  const close = () => setShown(null)
  useEffect(() => paletteOpener(() => setShown('palette')), [])

  const early = useRef('')
  const takeEarly = () => {
    const typed = early.current
    early.current = ''
    return typed
  }
  const lastG = useRef(-Infinity)
  const single: Record<string, () => void> = {
    '?': () => setShown('help'),
    '/': () => document.querySelector<HTMLElement>('[role=search] input')?.focus(),
    n: () => document.querySelector<HTMLElement>('[data-shortcut=new]')?.click(),
    e: () =>
      visible.slug !== undefined && changeEnvironment(visible.environment === 'staging' ? 'production' : 'staging'),
  }
  const press = (event: KeyboardEvent) => {
    if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      early.current = ''
      return openPalette()
    }
    // What is typed before the palette has come is for the palette: no shortcut, and not for the field that was left.
    if (isPalette ? !isInPalette(event.target) : isHelp && !document.querySelector('[role=dialog]')) {
      if (event.key === 'Escape') return close()
      if (event.key.length !== 1 || event.metaKey || event.ctrlKey) return
      event.preventDefault()
      early.current += event.key
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || !areKeysOn()) return
    // What is typed before a dialog has come was meant for the dialog.
    if (isTyping(event.target) || document.querySelector('[role=dialog], [role=menu], [data-opening]')) return
    const isSecond = event.timeStamp - lastG.current < SEQUENCE_MS
    lastG.current = event.key === 'g' && !isSecond ? event.timeStamp : -Infinity
    const place = isSecond ? placesOf(visible).find(({ key }) => key === event.key) : undefined
    const act = isSecond ? place && (() => go(place.href)) : single[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  const pressed = useRef(press)
  pressed.current = press
  useEffect(() => {
    const listen = (event: KeyboardEvent) => pressed.current(event)
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])

  return (
    <Suspense>
      {wasPalette && (
        <Palette opened={isPalette} close={close} showHelp={() => setShown('help')} takeEarly={takeEarly} />
      )}
      {wasHelp && <ShortcutsSheet opened={isHelp} close={close} visible={visible} />}
    </Suspense>
  )
}

const isInPalette = (target: EventTarget | null) => target instanceof HTMLElement && target.closest('.palette-input')

/** Letters belong to whoever types them. */
const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
