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
      known = await load()
    },
    ask: () => known?.ask?.(),
  })
}

/** A promise that is kept is told only later, and React would draw the outline meanwhile. */
function atOnce<Value>(value: Value): Promise<Value> {
  // oxlint-disable-next-line unicorn/no-thenable -- nothing awaits it but React, which asks for no more
  return { then: (tell: (value: Value) => void) => tell(value) } as Promise<Value>
}
