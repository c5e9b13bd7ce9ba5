import { lazy, Suspense } from 'react'
import { putAbovePages } from './above-pages.ts'
import type { ShownOnceProps } from './shown-once-dialog.tsx'

// Every dialog that makes a secret has this code with it (`form-modal.tsx`): no secret waits for the network.
const ShownOnce = lazy(() => import('./shown-once-dialog.tsx'))

/** Shows what cannot be shown again, until whoever reads it says that it is stored. */
export function showOnce(shown: ShownOnceProps): void {
  putAbovePages(
    'shown once',
    <Suspense>
      <ShownOnce {...shown} />
    </Suspense>,
  )
}
