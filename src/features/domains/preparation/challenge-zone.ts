import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The zone of this service in which authorities look for the answers of dns-01. Every name of every project has a label
 * of its own there, to which the owner's `_acme-challenge` record leads once and for all: nobody can guess another's,
 * and it follows from the name, so that it is the same after years.
 */
export interface ChallengeZone {
  readonly apex: string
  /** Where the challenge record of a hostname must lead; a wildcard has that of the name that it stands below. */
  nameFor(subject: ChallengeSubject): string
  labelFor(subject: ChallengeSubject): string
  /** Whether a label is one of ours; no storage is asked for those that strangers make up. */
  isLabel(label: string): boolean
}

interface ChallengeSubject {
  hostname: string
  /** Undefined for the names of the platform itself. */
  projectId: number | undefined
}

/** The setting that holds the secret of the labels. */
export const CHALLENGE_SECRET = 'challenge_secret'

export const CHALLENGE_LABEL = '_acme-challenge'
export const challengeName = (hostname: string) => `${CHALLENGE_LABEL}.${withoutWildcard(hostname)}`

/** A few names are so long that DNS has no room for it. */
export const hasChallengeName = (hostname: string) => challengeName(hostname).length <= DNS_NAME_MAX

export const isWildcard = (hostname: string) => hostname.startsWith('*.')

export const withoutWildcard = (hostname: string) => (isWildcard(hostname) ? hostname.slice(2) : hostname)

/**
 * A name to look at in place of a hostname: itself, and of a wildcard one that it stands for, which hardly anybody
 * gives a record of its own.
 */
export const visitName = (hostname: string) =>
  isWildcard(hostname) ? `petstore-check.${withoutWildcard(hostname)}` : hostname

/** The one wildcard that could cover a hostname: it stands for a single label. */
export const wildcardOver = (hostname: string) => `*.${hostname.slice(hostname.indexOf('.') + 1)}`

export function openChallengeZone(apex: string, secret: string): ChallengeZone {
  const digest = (text: string, bytes: number) => createHmac('sha256', secret).update(text).digest().subarray(0, bytes)
  const checkOf = (id: string) => digest(`check ${id}`, CHECK_BYTES)
  const labelFor = ({ hostname, projectId = 0 }: ChallengeSubject) => {
    const id = digest(`challenge ${projectId} ${withoutWildcard(hostname)}`, ID_BYTES).toString('hex')
    return id + checkOf(id).toString('hex')
  }
  return {
    apex,
    labelFor,
    nameFor: (subject) => `${labelFor(subject)}.${apex}`,
    isLabel(label) {
      if (!LABEL.test(label)) return false
      return timingSafeEqual(checkOf(label.slice(0, 2 * ID_BYTES)), Buffer.from(label.slice(2 * ID_BYTES), 'hex'))
    },
  }
}

const DNS_NAME_MAX = 253
const ID_BYTES = 12
const CHECK_BYTES = 4
const LABEL = /^[0-9a-f]{32}$/
