import { IconPlugConnectedX } from '../icons/icons.ts'
import { connectionLost } from '../connection.ts'

/** Says what is true while nobody answers, and goes away by itself. */
export function OfflineBanner() {
  const isLost = connectionLost.use()
  return (
    <div role="status" className="offline">
      {isLost && (
        <p className="offline-text">
          <IconPlugConnectedX size={18} stroke={1.7} aria-hidden="true" />
          The service does not answer, and is asked again every few seconds. Until it does, what you see may be out of
          date and nothing can be saved.
        </p>
      )}
    </div>
  )
}
