import '@mantine/dropzone/styles.layer.css'
import { Dropzone } from '@mantine/dropzone'
import { DropText } from './drop-text.tsx'

/** Loaded behind the page: reading dropped folders is 8 KB of script. */
export default function DropZone({ drop }: { drop(files: File[]): void }) {
  return (
    <Dropzone
      className="drop"
      onDrop={drop}
      enablePointerEvents
      aria-label="Deploy: choose an archive, or drop an archive or a folder here"
      inputProps={{ 'aria-label': 'Archive to deploy' }}
    >
      <DropText />
    </Dropzone>
  )
}
