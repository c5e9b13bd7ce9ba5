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
          The service does not answer. What you see may be old, and changes are not saved. It is tried again all the
          time.
        </p>
      )}
    </div>
  )
}
