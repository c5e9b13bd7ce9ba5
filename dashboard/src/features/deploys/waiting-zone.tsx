import type { DragEvent } from 'react'
import { DropText } from './drop-text.tsx'

interface WaitingZoneProps {
  drop(files: File[]): void
  refuse(error: Error): void
}

/**
 * In the place of the drop zone while its script loads. The browser would open what is dropped here instead of the
 * page. Files can be taken at once; reading folders is what is being loaded.
 */
export function WaitingZone({ drop, refuse }: WaitingZoneProps) {
  const take = (event: DragEvent) => {
    event.preventDefault()
    const { items, files } = event.dataTransfer
    const hasFolder = [...items].some((item) => item.webkitGetAsEntry()?.isDirectory)
    if (hasFolder) refuse(new Error('The page was still loading. Drop the folder again.'))
    else drop([...files])
  }
  return (
    <div className="drop is-waiting" onDragOver={(event) => event.preventDefault()} onDrop={take}>
      <DropText />
    </div>
  )
}
