import { lazy, Suspense } from 'react'
import { putAbovePages } from './above-pages.ts'
import type { ShownOnceProps } from './shown-once-dialog.tsx'

// Every dialog that makes a secret has this code with it (`form-modal.tsx`): no secret waits for the network.
const ShownOnce = lazy(() => import('./shown-once-dialog.tsx'))

export type Secret = Omit<ShownOnceProps, 'gone'>

/** The first is on the screen. */
const notStored: Secret[] = []
let shownBefore = 0

/** Shows what cannot be shown again, until whoever reads it says that it is stored; the next one waits for that. */
export function showOnce(shown: Secret): void {
  if (notStored.push(shown) === 1) showFirst()
}

function showFirst(): void {
  const [first] = notStored
  putAbovePages(
    'shown once',
    first === undefined ? null : (
      <Suspense key={shownBefore}>
        <ShownOnce {...first} gone={showNext} />
      </Suspense>
    ),
  )
}

function showNext(): void {
  notStored.shift()
  shownBefore++
  showFirst()
}
