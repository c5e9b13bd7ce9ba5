import { SECOND_MS } from '../../../platform/clock.ts'
import { writtenTime } from '../diagnosis/problem.ts'
import type { SiteFacts } from './site-facts.ts'

/** What is held against each other before DNS changes. */
export interface Sides {
  there: SiteFacts | null
  here: SiteFacts
  /** For how long resolvers remember the answer that leads there. */
  oldTtlSeconds: number | null
  certificateHere: { issuer: string; notAfter: string } | null
  /** What forbids our authority to issue, in words; null when nothing does. */
  caaTrouble: string | null
  /** Whether the certificate can be had before the switch. */
  canPrepare: boolean
}

export interface Advice {
  code: 'caa' | 'hsts' | 'certificate' | 'ttl' | 'unreachable' | 'status' | 'title' | 'redirect' | 'nothing'
  /** Whether visitors would meet something broken without it. */
  isUrgent: boolean
  text: string
}

/** What would still do no harm if it had to be waited out in front of a screen. */
const SHORT_TTL_SECONDS = 300

/** Pure: what to do before the switch, the most urgent first. */
export function adviseSwitch(sides: Sides, now: number): Advice[] {
  const { there, here, oldTtlSeconds, certificateHere, caaTrouble, canPrepare } = sides
  const prepare = canPrepare ? ' Prepare the domain, and it is there before.' : ''
  const advice: Advice[] = []
  const add = (code: Advice['code'], isUrgent: boolean, text: string) => advice.push({ code, isUrgent, text })
  if (caaTrouble !== null) add('caa', true, caaTrouble)
  if (certificateHere === null) {
    if (there?.hsts) {
      add(
        'hsts',
        true,
        `The old host has told browsers to come over HTTPS only (${there.hsts}). They will not open the site here ` +
          `before its certificate is there: switch only then.${prepare}`,
      )
    } else if (there?.certificate) {
      add(
        'certificate',
        true,
        'Visitors reach the old host over HTTPS. Between the switch and the certificate, usually a couple of ' +
          `minutes, their browsers warn.${prepare}`,
      )
    }
  }
  if (oldTtlSeconds !== null && oldTtlSeconds > SHORT_TTL_SECONDS) {
    const by = writtenTime(now + oldTtlSeconds * SECOND_MS)
    add(
      'ttl',
      false,
      `Lower the TTL of the old record from ${oldTtlSeconds} to ${SHORT_TTL_SECONDS} seconds now. From ${by} on ` +
        'every cache has the short one: switch after that, and the change is through within minutes.',
    )
  }
  if (there?.error) add('unreachable', false, `The old host could not be looked at: ${there.error}`)
  if (there && !there.error) {
    if (isGood(there) && !isGood(here)) {
      const seen = here.error ?? `status ${here.status}`
      add('status', true, `The old host answers with ${there.status}, the site here does not: ${seen}`)
    }
    if (there.title !== null && here.title !== null && there.title !== here.title) {
      add(
        'title',
        false,
        `The pages have other titles: “${there.title}” there, “${here.title}” here. Is it the right site?`,
      )
    }
    const away = hostOf(there.url)
    if (there.redirects.length > 0 && away !== hostOf(there.redirects[0]?.url ?? there.url)) {
      add('redirect', false, `The old host sends visitors on to ${away}. Move that name too, or set the redirect here.`)
    }
  }
  const sorted = advice.toSorted((one, other) => Number(other.isUrgent) - Number(one.isUrgent))
  if (sorted.length > 0) return sorted
  return [{ code: 'nothing', isUrgent: false, text: 'Nothing speaks against switching now.' }]
}

const isGood = ({ status }: SiteFacts) => status !== null && status < 400
const hostOf = (url: string) => URL.parse(url)?.hostname ?? url
