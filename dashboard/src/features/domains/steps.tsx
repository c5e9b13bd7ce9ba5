import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { DomainDetails, DomainState } from '../../api/domains.ts'
import { TimeAgo } from '../../parts/time.tsx'

type Mark = 'done' | 'now' | 'waiting' | 'trouble'

const ORDER: DomainState[] = ['awaiting dns', 'verifying', 'issuing', 'live']

/** From the DNS record to the live site, as it happens. */
export function Steps({ domain }: { domain: DomainDetails }) {
  const { state, verifiedAt, certificate, lastCheck, problems, nextCheckAt, issuance } = domain
  const at = state === 'attention' ? 3 : ORDER.indexOf(state)
  const hasFailed = state === 'awaiting dns' && lastCheck !== null && problems.length > 0
  const steps: { title: string; mark: Mark; about: React.ReactNode }[] = [
    {
      title: 'DNS record',
      mark: verifiedAt === null ? (hasFailed ? 'trouble' : at === 0 ? 'now' : 'done') : 'done',
      about: verifiedAt === null ? (hasFailed ? 'Not right yet' : 'Create it at your registrar') : 'In place',
    },
    {
      title: 'Verify',
      mark: verifiedAt !== null ? 'done' : state === 'verifying' ? 'now' : 'waiting',
      about: verifyText(),
    },
    {
      title: 'Certificate',
      mark: certificate ? 'done' : state === 'issuing' ? (issuance?.problem ? 'trouble' : 'now') : 'waiting',
      about: certificate
        ? 'Issued'
        : state === 'issuing'
          ? issuance?.problem
            ? 'Has a problem'
            : 'Being issued, usually a couple of minutes'
          : 'Issued automatically',
    },
    {
      title: 'Live',
      mark: state === 'live' ? 'done' : state === 'attention' ? 'trouble' : 'waiting',
      about:
        state === 'live'
          ? 'Visitors are served'
          : state === 'attention'
            ? domain.certificateEndedAt
              ? 'Over HTTP only: needs attention'
              : 'Served, but needs attention'
            : 'Then it is live',
    },
  ]

  function verifyText() {
    if (verifiedAt !== null)
      return (
        <>
          Verified <TimeAgo at={verifiedAt} />
        </>
      )
    if (state === 'verifying') return 'Asking the nameservers …'
    if (nextCheckAt !== null)
      return (
        <>
          We look again <TimeAgo at={nextCheckAt} />
        </>
      )
    return 'Choose Verify when it is there'
  }

  return (
    <ol className="progress-steps" aria-label="Progress" aria-live="polite">
      {steps.map(({ title, mark, about }, index) => (
        <li key={title} className={`progress-step is-${mark}`}>
          <span className="progress-mark">
            {mark === 'done' ? <IconCheck size={16} stroke={2.5} aria-label="done" /> : null}
            {mark === 'trouble' ? <IconAlertTriangle size={16} aria-label="has a problem" /> : null}
            {mark === 'now' || mark === 'waiting' ? <span aria-hidden="true">{index + 1}</span> : null}
          </span>
          <span className="progress-text">
            <span className="progress-title">{title}</span>
            <span className="progress-about">{about}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
