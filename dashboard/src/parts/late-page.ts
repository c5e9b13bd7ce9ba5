import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

export interface Early {
  /** Brings the code before it is shown: then the page is drawn at once, without its outline. */
  early(): Promise<void>
  /** Asks, once the code is there, for what the page shows: the answers come while it is drawn. */
  ask(): void
}

/** What the file of a page has. */
interface PageCode<Page> {
  default: Page
  ask?(): void
}

/** A page whose code comes when it is first shown, or before. */
// oxlint-disable-next-line typescript/no-explicit-any -- as React's own `lazy` has it
export type LatePage<Page extends ComponentType<any>> = LazyExoticComponent<Page> & Early

// oxlint-disable-next-line typescript/no-explicit-any -- as React's own `lazy` has it
export function latePage<Page extends ComponentType<any>>(load: () => Promise<PageCode<Page>>): LatePage<Page> {
  let known: PageCode<Page> | undefined
  const Late = lazy(() => (known ? atOnce(known) : load()))
  return Object.assign(Late, {
    early: async () => {
      known ??= await load()
    },
    ask: () => known?.ask?.(),
  })
}

/**
 * For what leads to a page: whoever points at it, or comes there by the keyboard, mostly goes on. React leaves an
 * outline that it has drawn for 300 ms, however soon the code comes.
 */
export function early(page: Early | undefined) {
  const bring = () => bringEarly(page)
  return { onPointerEnter: bring, onFocus: bring }
}

/** Code that could not be loaded is asked for again, and missed, when the page is shown. */
export const bringEarly = (page: Early | undefined) => void page?.early().catch(() => {})

/** A promise that is kept is told only later, and React would draw the outline meanwhile. */
function atOnce<Value>(value: Value): Promise<Value> {
  // oxlint-disable-next-line unicorn/no-thenable -- nothing awaits it but React, which asks for no more
  return { then: (tell: (value: Value) => void) => tell(value) } as Promise<Value>
}
