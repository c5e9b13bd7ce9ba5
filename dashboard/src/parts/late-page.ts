import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

/** A page whose code comes when it is first shown, or before: then it is drawn at once, without its outline. */
// oxlint-disable-next-line typescript/no-explicit-any -- as React's own `lazy` has it
export type LatePage<Page extends ComponentType<any>> = LazyExoticComponent<Page> & { early(): Promise<void> }

// oxlint-disable-next-line typescript/no-explicit-any -- as React's own `lazy` has it
export function latePage<Page extends ComponentType<any>>(load: () => Promise<{ default: Page }>): LatePage<Page> {
  let known: { default: Page } | undefined
  const Late = lazy(() => (known ? atOnce(known) : load()))
  return Object.assign(Late, {
    early: async () => {
      known = await load()
    },
  })
}

/** A promise that is kept is told only later, and React would draw the outline meanwhile. */
function atOnce<Value>(value: Value): Promise<Value> {
  // oxlint-disable-next-line unicorn/no-thenable -- nothing awaits it but React, which asks for no more
  return { then: (tell: (value: Value) => void) => tell(value) } as Promise<Value>
}
