/** Of the table in `problems.ts`: what keeps the certificate authority from issuing. */
export const CAA_PROBLEMS = {
  caa_forbids: {
    severity: 'blocking',
    affects: 'certificate',
    title: 'A CAA record at {decidedAt} forbids the certificate',
    detail: 'The CAA records at {owner} decide for {hostname}: {answer}. They read {found}.',
    fix:
      'In the zone {caaZone}, create this record: type CAA, name {caaLabel}, flags 0, tag {caaTag}, ' +
      'value {caaValue}, TTL 3600.{caaSecond} The present ones can stay.',
  },
  caa_critical_unknown: {
    severity: 'blocking',
    affects: 'certificate',
    title: 'A critical CAA record at {decidedAt} is not understood',
    detail: 'The CAA records at {owner} decide for {hostname}: {answer}. They read {found}.',
    fix: 'In the zone {caaZone}, delete that CAA record at {caaLabel}, or set its flags to 0.',
  },
  caa_platform: {
    severity: 'blocking',
    affects: 'certificate',
    title: 'Our own CAA records keep the certificate from being issued',
    detail: '{hostname} leads to {owner}, which is ours, and what stands there decides: {answer}.',
    fix:
      'This is on our side, and the operator of this service is told. There is nothing for you to change: ' +
      'we try again by ourselves.',
  },
  caa_lookup_failed: {
    severity: 'transient',
    affects: 'certificate',
    title: 'The CAA records of {decidedAt} could not be looked up',
    detail: 'Certificate authorities must refuse when this question fails: {answer}.',
    fix:
      'Ask the DNS provider of {decidedAt} to answer questions for CAA, even when there is no such record. ' +
      'We try again by ourselves.',
  },
} as const
