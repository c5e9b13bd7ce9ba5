import { useLocation } from 'wouter'
import { useAskBeforeLeaving } from '../../parts/ask-before-leaving.ts'
import { UploadProgress } from './upload-progress.tsx'
import { useUploads } from './uploads.ts'

/** In the frame, on whatever page; the page of the deploys shows it in its own place. */
export function UploadBar() {
  const { running } = useUploads()
  const [path] = useLocation()
  useAskBeforeLeaving(running !== null)
  if (!running || path === `/projects/${running.slug}/deploys`) return null
  return (
    <aside className="work-bar card" aria-label="Upload">
      <UploadProgress upload={running} />
    </aside>
  )
}
