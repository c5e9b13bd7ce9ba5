import { DAY_MS } from '../../../platform/clock.ts'
import { GRACE_MS } from '../lifecycle.ts'
import type { NewNotification } from './notifications.ts'
import { writtenTime } from '../diagnosis/problem.ts'

type Subject = NewNotification['domain']

/** The first thing to mend, in the diagnosis' own words. */
export interface Trouble {
  title: string
  fix: string
}

export const verifiedNews = (domain: Subject, verifiedAt: number, isSecured: boolean): NewNotification => ({
  kind: 'verified',
  domain,
  occasion: String(verifiedAt),
  title: `${domain.hostname} is verified`,
  body: isSecured
    ? 'Its certificate is here already: it is served over HTTPS again.'
    : 'Its certificate is being issued, usually within a couple of minutes. There is nothing to install.',
})

export const liveNews = (domain: Subject, certificate: { issuer: string; notAfter: number }): NewNotification => ({
  kind: 'live',
  domain,
  occasion: 'first certificate',
  title: `${domain.hostname} is live`,
  body:
    `It is served over HTTPS, with a certificate of ${commonNameOf(certificate.issuer)}. ` +
    `It is valid until ${writtenTime(certificate.notAfter)} and is renewed by itself long before.`,
})

export const readyNews = (domain: Subject, { notAfter }: { issuer: string; notAfter: number }): NewNotification => ({
  kind: 'ready',
  domain,
  occasion: 'first certificate',
  title: `${domain.hostname} is ready to switch`,
  body:
    `Its certificate is here, valid until ${writtenTime(notAfter)} and renewed by itself. Change its DNS record ` +
    'whenever you like: from that moment on visitors are served here, without a gap.',
})

/** `CN=R12, O=Let's Encrypt, C=US` is for programs; people know an authority by its name. */
const commonNameOf = (issuer: string) => /(?:^|, )CN=([^,]+)/.exec(issuer)?.[1] ?? issuer

/** A reminder each time that so much of the grace is left, besides the warning at its beginning. */
const REMINDERS_MS = [7 * DAY_MS, 3 * DAY_MS, DAY_MS] as const

export function attentionNews(domain: Subject, failingSince: number, trouble: Trouble, now: number): NewNotification {
  const endsAt = failingSince + GRACE_MS
  const reminder = REMINDERS_MS.findLast((leftMs) => endsAt - now <= leftMs)
  return {
    kind: 'attention',
    domain,
    occasion: `${failingSince} ${reminder === undefined ? 'first' : reminder / DAY_MS}`,
    title: `The DNS records of ${domain.hostname} have changed`,
    body: `${trouble.title}. ${trouble.fix} Visitors are still served, until ${writtenTime(endsAt)}.`,
  }
}

export const unservedNews = (domain: Subject, failingSince: number, trouble: Trouble): NewNotification => ({
  kind: 'unserved',
  domain,
  occasion: String(failingSince),
  title: `${domain.hostname} is no longer served`,
  body: `Its DNS records have not led here for 14 days. ${trouble.title}. ${trouble.fix} Then choose Verify.`,
})

export const lateNews = (domain: Subject, wantedSince: number, reason: string): NewNotification => ({
  kind: 'certificate_late',
  domain,
  occasion: String(wantedSince),
  title: `${domain.hostname} has no certificate yet`,
  body: `It has taken more than 30 minutes. ${reason}`,
})

/** `left` is the percentage of its life. */
export const renewalNews = (
  domain: Subject,
  { notAfter, left }: { notAfter: number; left: number },
  reason: string,
): NewNotification => ({
  kind: 'renewal_at_risk',
  domain,
  occasion: `${notAfter} ${left}`,
  title: `The certificate of ${domain.hostname} could not be renewed yet`,
  body:
    `Less than ${left} % of its life is left: it is served until ${writtenTime(notAfter)}; after that browsers will ` +
    `warn. ${reason}`,
})

export const renewedNews = (domain: Subject, certificate: { issuer: string; notAfter: number }): NewNotification => ({
  kind: 'renewed',
  domain,
  occasion: String(certificate.notAfter),
  title: `The certificate of ${domain.hostname} has been renewed`,
  body:
    `The new one is of ${commonNameOf(certificate.issuer)}, valid until ${writtenTime(certificate.notAfter)}. ` +
    'There is nothing left to do.',
})

/** Said once for all instances. */
export const servedWrongNews = (domain: Subject, instance: string, found: string, now: number): NewNotification => ({
  kind: 'served_wrong',
  domain,
  occasion: String(now),
  title: `${domain.hostname} is not served as it should be`,
  body:
    `At the instance ${instance}, ${found}. Visitors who reach it may meet that too. The domain’s page shows every ` +
    'instance; tell the operator of this service if it lasts.',
})

export const servedRightNews = (domain: Subject, now: number): NewNotification => ({
  kind: 'served_right',
  domain,
  occasion: String(now),
  title: `${domain.hostname} is served as it should be again`,
  body: 'Every instance shows the right certificate and answers.',
})

export const recoveredNews = (domain: Subject, failingSince: number): NewNotification => ({
  kind: 'recovered',
  domain,
  occasion: String(failingSince),
  title: `The DNS records of ${domain.hostname} are right again`,
  body: 'It goes on being served, and there is nothing left to do.',
})

export const endedNews = (domain: Subject, notAfter: number, reason: string): NewNotification => ({
  kind: 'certificate_ended',
  domain,
  occasion: String(notAfter),
  title: `The certificate of ${domain.hostname} has ended`,
  body:
    `It was good until ${writtenTime(notAfter)}. Until there is a new one, the site answers over HTTP only. ` + reason,
})

export const lostNews = (domain: Subject, supersededAt: number): NewNotification => ({
  kind: 'lost',
  domain,
  occasion: String(supersededAt),
  title: `Another project has taken ${domain.hostname} over`,
  body:
    `It has shown a newer proof of ownership in the DNS of ${domain.hostname}, and is served there now. ` +
    'If the domain is yours, create the TXT record that the dashboard shows and choose Verify.',
})

/** Verify and the records of a preparation prolong a claim: how long it has waited is not the same for all. */
export const expiredNews = (domain: Subject, claim: { since: number; endsAt: number }): NewNotification => ({
  kind: 'expired',
  domain,
  occasion: String(claim.endsAt),
  title: `${domain.hostname} has left the list`,
  body:
    `It was not verified within ${Math.floor((claim.endsAt - claim.since) / DAY_MS)} days. ` +
    'Add it again when its DNS record is in place.',
})
