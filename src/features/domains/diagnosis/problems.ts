import { CAA_PROBLEMS } from './caa-problems.ts'
import { PREPARATION_PROBLEMS, PROXY_PROBLEMS } from './preparation-problems.ts'

/**
 * Every problem that a diagnosis can name. Codes are stable: the API, the dashboard, the command line and the guide
 * for people (generated from this table) all use them. The order is the order in which problems are best mended.
 *
 * - `blocking`: an authoritative server gave a clear answer, and it is not the one that is needed.
 * - `transient`: nobody gave a clear answer; it may pass by itself and never costs a live domain anything.
 * - `warning`: it works, but something deserves attention.
 */
export type Severity = 'blocking' | 'transient' | 'warning'

export interface ProblemDefinition {
  severity: Severity
  /** `certificate` problems leave the hostname verified and keep the certificate from being issued. */
  affects: 'verification' | 'certificate'
  title: string
  /** What was seen. Words in braces are filled in. */
  detail: string
  fix: string
}

const RECORD = 'type {type}, name {label}, value {target}, TTL 3600'

export const PROBLEMS = {
  zone_missing: {
    severity: 'blocking',
    affects: 'verification',
    title: '{registrable} does not exist in DNS',
    detail: 'The nameservers of {parent} know no domain {registrable} ({answer}).',
    fix: 'Check the spelling. If it is right, register or renew {registrable} and enter its nameservers.',
  },
  nameserver_private: {
    severity: 'blocking',
    affects: 'verification',
    title: 'A nameserver of {zone} has a private address',
    detail: '{servers} cannot be reached from the internet: visitors and certificate authorities cannot ask it.',
    fix: 'At the registrar of {zone}, enter nameservers with public addresses.',
  },
  lookup_failed: {
    severity: 'transient',
    affects: 'verification',
    title: 'The way to {registrable} could not be found',
    detail: 'No server above {registrable} answered: {answer}.',
    fix: 'Nothing seems wrong with your records. We try again by ourselves; if this lasts, tell our support.',
  },
  lookup_incomplete: {
    severity: 'transient',
    affects: 'verification',
    title: 'DNS answered too slowly',
    detail: 'After {seconds} s the nameservers of {registrable} were still not known.',
    fix: 'We try again by ourselves. If this lasts, ask your DNS provider whether its nameservers are slow.',
  },
  nameserver_unresolvable: {
    severity: 'transient',
    affects: 'verification',
    title: 'A nameserver of {zone} has no address',
    detail: 'No IP address was found for {servers}.',
    fix: 'At the registrar of {zone}, correct the nameservers to those that your DNS provider gives.',
  },
  nameserver_timeout: {
    severity: 'transient',
    affects: 'verification',
    title: 'A nameserver of {zone} does not answer',
    detail: '{servers} did not answer: {answer}.',
    fix:
      'If it is a nameserver of your provider, it should answer soon: we try again. ' +
      'If your provider no longer uses it, remove it at the registrar of {zone}.',
  },
  nameserver_servfail: {
    severity: 'transient',
    affects: 'verification',
    title: 'A nameserver of {zone} reports a failure',
    detail: '{servers} answered {answer} instead of a record.',
    fix: 'Ask your DNS provider why the zone {zone} cannot be loaded; often a record in it is invalid. We try again.',
  },
  nameserver_refused: {
    severity: 'transient',
    affects: 'verification',
    title: 'A nameserver refuses to answer for {zone}',
    detail: '{servers} answered REFUSED: this nameserver is listed for {zone}, but does not serve it.',
    fix:
      'Create the zone {zone} at the provider of this nameserver, or replace the nameserver at the registrar ' +
      'with those of your provider.',
  },
  nameserver_lame: {
    severity: 'transient',
    affects: 'verification',
    title: 'A nameserver does not know {zone}',
    detail: '{servers} answered without authority: it is listed for {zone}, but does not serve it.',
    fix:
      'Create the zone {zone} at the provider of this nameserver, or replace the nameserver at the registrar ' +
      'with those of your provider.',
  },
  nameserver_truncated: {
    severity: 'transient',
    affects: 'verification',
    title: 'A nameserver of {zone} cuts its answers',
    detail: '{servers} cut the answer over UDP and gave none over TCP.',
    fix: 'Ask your DNS provider to open TCP port 53: answers that do not fit into UDP need it.',
  },
  nameserver_oversize: {
    severity: 'transient',
    affects: 'verification',
    title: 'A nameserver of {zone} sends a reply too large',
    detail: '{servers} sent more than is read: {answer}.',
    fix: 'Remove records that {hostname} does not need, or ask your DNS provider why its replies are so large.',
  },
  nameserver_unusable: {
    severity: 'transient',
    affects: 'verification',
    title: 'A nameserver of {zone} sends unusable answers',
    detail: '{servers} sent replies that do not match the question: {answer}.',
    fix: 'Ask your DNS provider to look at this nameserver. A firewall or proxy before it can cause this too.',
  },
  dnssec_bogus: {
    severity: 'transient',
    affects: 'verification',
    title: 'DNSSEC of {zone} is broken',
    detail: 'Resolvers that check signatures reject the answers for {hostname} ({answer}).',
    fix:
      'At the registrar of {zone}, remove the DS record or replace it with the one that your DNS provider shows. ' +
      'A DS record left from an earlier provider is the usual cause.',
  },
  record_missing: {
    severity: 'blocking',
    affects: 'verification',
    title: 'There is no record for {hostname}',
    detail: '{servers} answered that {hostname} has no record of type {type} ({answer}).',
    fix: `At your DNS provider, in the zone {zone}, create this record: ${RECORD}.`,
  },
  doubled_label: {
    severity: 'blocking',
    affects: 'verification',
    title: 'The record stands at {doubled}',
    detail: '{doubled} has the record that {hostname} should have: your provider added the domain once more.',
    fix: 'In the zone {zone}, change the name of that record from {hostname} to {label}.',
  },
  cname_value_doubled: {
    severity: 'blocking',
    affects: 'verification',
    title: 'The CNAME of {hostname} has the domain added to its value',
    detail: '{servers} gave {found}: your provider added {zone} to the value {target}.',
    fix: 'In the zone {zone}, change the value of the CNAME {label} to {target}. with a dot at the end.',
  },
  cname_value_differs: {
    severity: 'blocking',
    affects: 'verification',
    title: 'The CNAME of {hostname} has another value',
    detail: '{servers} gave {found} instead of {target}.',
    fix: `In the zone {zone}, replace it by this record: ${RECORD}.`,
  },
  cname_indirect: {
    severity: 'blocking',
    affects: 'verification',
    title: '{hostname} reaches us only by a detour',
    detail: '{servers} gave {found}, which leads on to us. Whoever controls that name could turn visitors away.',
    fix: 'In the zone {zone}, set the value of the CNAME {label} straight to {target}.',
  },
  multiple_cnames: {
    severity: 'blocking',
    affects: 'verification',
    title: '{hostname} has more than one CNAME',
    detail: '{servers} gave {found}. A name may have only one CNAME; resolvers pick any of them or none.',
    fix: 'In the zone {zone}, keep the CNAME {label} with the value {target} and delete the others.',
  },
  conflicting_address: {
    severity: 'blocking',
    affects: 'verification',
    title: 'An address record of {hostname} is in the way of the CNAME',
    detail: '{servers} gave {found} for {hostname}. A CNAME cannot stand beside other records of the same name.',
    fix: `In the zone {zone}, delete {found} at {label}. What must remain is this record alone: ${RECORD}.`,
  },
  conflicting_record: {
    severity: 'blocking',
    affects: 'verification',
    title: 'Another record of {hostname} is in the way of the CNAME',
    detail: '{servers} gave {found} for {hostname}. A CNAME cannot stand beside other records of the same name.',
    fix:
      'In the zone {zone}, delete {found} at {label}, or give it another name if you need it. ' +
      `What must remain is this record alone: ${RECORD}.`,
  },
  address_instead_of_cname: {
    severity: 'blocking',
    affects: 'verification',
    title: '{hostname} has our address instead of a CNAME',
    detail: '{servers} gave {found}. That is our address, but it shows nobody which project the name is meant for.',
    fix:
      `In the zone {zone}, replace {found} at {label} by this record: ${RECORD}. ` +
      'If you created a CNAME already, switch off “flattening” for it at your provider.',
  },
  proxied: {
    severity: 'blocking',
    affects: 'verification',
    title: '{hostname} goes through the proxy of {proxy}',
    detail: '{servers} gave {found}, which belongs to {proxy}. The proxy hides the record behind it.',
    fix: 'At {proxy}, switch {label} to “DNS only” (the grey cloud) with the value {target}, then choose Verify.',
  },
  wildcard_in_the_way: {
    severity: 'blocking',
    affects: 'verification',
    title: 'A wildcard record answers for {hostname}',
    detail: '{hostname} has no record of its own; {wildcard} answers in its place with {found}.',
    fix: `In the zone {zone}, create this record: ${RECORD}. It goes before the wildcard, which can stay.`,
  },
  cname_loop: {
    severity: 'blocking',
    affects: 'verification',
    title: 'The CNAMEs of {hostname} run in a circle',
    detail: 'They lead {found} and never arrive.',
    fix: `In the zone {zone}, replace the CNAME of {label} by this record: ${RECORD}.`,
  },
  cname_chain_too_long: {
    severity: 'blocking',
    affects: 'verification',
    title: 'Too many CNAMEs in a row behind {hostname}',
    detail: 'After {hops} steps ({found}) they have not arrived; resolvers give up.',
    fix: `In the zone {zone}, point straight to us with this record: ${RECORD}.`,
  },
  apex_address_differs: {
    severity: 'blocking',
    affects: 'verification',
    title: '{hostname} points to another address',
    detail: '{servers} gave {found}; ours are {addresses}.',
    fix:
      'In the zone {zone}, delete {found} at {label}. Then create an ALIAS or ANAME record with the name {label} and ' +
      'the value {target}, or, if your provider has none, address records with {addresses}.',
  },
  stray_ipv6_address: {
    severity: 'blocking',
    affects: 'verification',
    title: 'An AAAA record of {hostname} points elsewhere',
    detail: 'The A record is right, but {servers} also gave {found}: visitors and authorities with IPv6 go there.',
    fix: 'In the zone {zone}, delete {found} at {label}.',
  },
  target_unresolved: {
    severity: 'transient',
    affects: 'verification',
    title: 'Our own addresses could not be looked up',
    detail: 'Whether {found} of {hostname} is ours is not known: the addresses of {target} could not all be looked up.',
    fix: 'This is on our side. We try again by ourselves.',
  },
  nameservers_disagree: {
    severity: 'transient',
    affects: 'verification',
    title: 'The nameservers of {zone} do not agree',
    detail: '{right} has the right answer; {wrong}.',
    fix:
      'If you changed the record a moment ago, wait: {expectation}. ' +
      'If it stays so, ask your DNS provider why its nameservers differ.',
  },
  proof_missing: {
    severity: 'blocking',
    affects: 'verification',
    title: 'The proof of ownership is missing',
    detail: '{proofReason}, and {proofName} has no TXT record.',
    fix: 'In the zone {zone}, create a TXT record with the name {proofLabel} and the value {proofValue}.',
  },
  proof_differs: {
    severity: 'blocking',
    affects: 'verification',
    title: 'The proof of ownership has another value',
    detail: '{proofReason}, and {proofName} has {found}.',
    fix: 'In the zone {zone}, set the TXT record {proofLabel} to {proofValue}.',
  },
  ...PREPARATION_PROBLEMS,
  ...CAA_PROBLEMS,
  apex_cname: {
    severity: 'warning',
    affects: 'verification',
    title: 'A CNAME stands at the apex {hostname}',
    detail: 'It points to us, but DNS forbids a CNAME beside SOA and NS: mail and some resolvers can fail.',
    fix: 'In the zone {zone}, replace it by an ALIAS or ANAME record with the name {label} and the value {target}.',
  },
  ...PROXY_PROBLEMS,
  cache_stale: {
    severity: 'warning',
    affects: 'verification',
    title: 'Some visitors still get the old answer',
    detail: 'The nameservers are right, but the resolver {servers} still remembers {found}.',
    fix: 'Nothing to do: it forgets the old answer by {until} at the latest.',
  },
} as const satisfies Record<string, ProblemDefinition>

export type ProblemCode = keyof typeof PROBLEMS

export const PROBLEM_CODES = Object.keys(PROBLEMS) as ProblemCode[]
