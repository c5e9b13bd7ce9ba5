import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useOnceOpened } from './use-once-opened.ts'

/** A dialog or a drawer whose code comes when it is first opened. */
export function lateDialog<Props extends { opened: boolean }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): (props: Props) => ReactNode {
  const Dialog = lazy(load) as unknown as ComponentType<Props>
  function Opening(props: Props) {
    // Mantine notes what had the focus when a dialog opens, and not when it comes into being open.
    const [opened, setOpened] = useState(false)
    useEffect(() => setOpened(props.opened), [props.opened])
    return <Dialog {...props} opened={opened} />
  }
  return function LateDialog(props) {
    return (
      useOnceOpened(props.opened) && (
        <Suspense fallback={<span hidden data-opening />}>
          <Opening {...props} />
        </Suspense>
      )
    )
  }
}
