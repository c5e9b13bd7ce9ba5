/** Of a hostname that is to have its certificate before it leads here. */
export const PREPARATION_PROBLEMS = {
  challenge_unanswered: {
    severity: 'transient',
    affects: 'verification',
    title: 'The name for certificate challenges could not be looked up',
    detail: '{servers} answered for {hostname}, but not for {challengeName}: {answer}.',
    fix:
      'Change nothing yet: whether the CNAME {challengeLabel} is right could not be seen. We try again by ourselves. ' +
      'If it lasts, ask your DNS provider why its nameservers do not answer for {challengeName}; a firewall that ' +
      'drops names with an underscore is a usual cause.',
  },
  challenge_missing: {
    severity: 'blocking',
    affects: 'verification',
    title: 'The name for certificate challenges is not delegated',
    detail: '{servers} gave no CNAME for {challengeName}. Without it no authority can be answered before the switch.',
    fix: 'In the zone {zone}, create a CNAME with the name {challengeLabel} and the value {challengeTarget}.',
  },
  challenge_differs: {
    severity: 'blocking',
    affects: 'verification',
    title: 'The name for certificate challenges leads elsewhere',
    detail: '{challengeName} leads to {found} instead of {challengeTarget}.',
    fix: 'In the zone {zone}, set the CNAME {challengeLabel} to {challengeTarget}.',
  },
} as const

/** Of one that is served here and leads elsewhere on purpose. */
export const PROXY_PROBLEMS = {
  leads_elsewhere: {
    severity: 'warning',
    affects: 'verification',
    title: 'Visitors of {hostname} come by way of somebody else',
    detail:
      '{servers} gave {found}, which is not ours. It is served all the same, and its certificate is renewed, as long ' +
      'as {challengeName} leads to us.',
    fix: 'Nothing to do where a proxy of yours stands before it. Otherwise mend the record: it leads to {target}.',
  },
} as const
