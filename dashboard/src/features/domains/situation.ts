import type { Domain } from '../../../../client/src/platform/platform.ts'
import { isCertificateAtRisk } from '../../../../src/features/domains/lifecycle.ts'
import { isBeforeSwitch, preparationOf } from './preparation-situation.ts'
import type { Sentence, Situation, Step } from './story.ts'
import { countText } from '../../parts/count-text.ts'

/**
 * Everything that is said about where a domain stands, from its lifecycle alone. Whatever shows it takes the words from
 * here, so that no two places can contradict each other.
 */
export function situationOf(domain: Domain, now: number): Situation {
  if (isBeforeSwitch(domain)) return preparationOf(domain)
  return { ...storyOf(domain, now), steps: stepsOf(domain, now) }
}

function storyOf(domain: Domain, now: number): Omit<Situation, 'steps'> {
  const { state, failingSince, unclearSince, switchSeenAt, problems, issuance, certificate, servedUntil } = domain
  const does = effectOf(domain)
  switch (state) {
    case 'removed':
      return {
        headline: 'Removed',
        sentence: domain.removedAt
          ? ['Not served for this project since ', { on: domain.removedAt }, '.']
          : ['Not served for this project any more.'],
        next: 'clean up',
        line: 'no longer served',
      }
    case 'verifying':
      return {
        headline: 'Asking the nameservers',
        sentence: ['Each one is asked by itself. This takes a few seconds, and the page follows.'],
        next: 'wait',
        line: 'not served yet · asking its nameservers',
      }
    case 'preparing':
    case 'ready':
    case 'awaiting dns':
      if (unclearSince !== null && switchSeenAt !== null) {
        return {
          headline: 'Not every nameserver leads here yet',
          sentence: [
            'The change was first seen ',
            { ago: switchSeenAt },
            '. Keep the old host running.',
            ...lookAgain(domain),
          ],
          next: failingSince === null ? 'wait' : 'mend record',
          line: 'not served yet · not every nameserver leads here yet',
        }
      }
      if (unclearSince !== null) {
        return {
          headline: 'DNS gives no clear answer',
          sentence: [
            failingSince === null ? '' : 'The last clear answer was not right. ',
            'Since ',
            { ago: unclearSince },
            ' there has been none.',
            ...lookAgain(domain),
          ],
          next: failingSince === null ? 'wait' : 'mend record',
          line: 'not served yet · DNS gives no clear answer',
        }
      }
      if (failingSince !== null) {
        const found =
          problems.length === 0 ? 'its record is not right' : `${countText(problems.length, 'problem')} to mend`
        return {
          headline: 'The DNS record is not right',
          sentence: [`It is not served until the record is mended.`, ...lookAgain(domain)],
          next: 'mend record',
          line: `not served yet · ${found}`,
        }
      }
      return {
        headline: 'Create its DNS record',
        sentence: ['It is not served before the record is in place and verified.', ...lookAgain(domain)],
        next: 'create record',
        line: 'not served yet · waiting for its DNS record',
      }
    case 'issuing':
      if (issuance?.problem) {
        return {
          headline: 'The certificate has met a problem',
          sentence: ['The DNS record is right. HTTPS works once the certificate is there.'],
          next: 'mend certificate',
          line: `${does} · the certificate has a problem`,
        }
      }
      return {
        headline: 'The certificate is on its way',
        sentence: ['The DNS record is right. It usually takes a couple of minutes, and there is nothing to install.'],
        next: 'wait',
        line: `${does} · certificate on its way`,
      }
    case 'attention':
      if (failingSince !== null) {
        return {
          headline: 'Its DNS no longer leads here',
          sentence: [
            'Visitors are still served',
            ...(servedUntil ? [', until ', { on: servedUntil }] : []),
            '. Mend the record before then, and nobody notices.',
          ],
          next: 'mend record',
          line: `${does} · its DNS no longer leads here`,
        }
      }
      if (certificate === null && domain.certificateEndedAt !== null) {
        return {
          headline: 'Its certificate has ended',
          sentence: [
            'It ended ',
            { ago: domain.certificateEndedAt },
            ', and there is no new one yet. Visitors are served over plain HTTP only.',
          ],
          next: 'mend certificate',
          line: `${does}, over HTTP only · its certificate has ended`,
        }
      }
      return {
        headline: 'The certificate is at risk',
        sentence: [
          'Visitors are served, but the certificate could not be renewed yet',
          ...(certificate ? [' and ends ', { ago: certificate.notAfter }] : []),
          '.',
        ],
        next: 'mend certificate',
        line: `${does} · certificate at risk`,
      }
    case 'live':
      return {
        headline: domain.redirect ? `Live: it leads visitors to ${domain.redirect.to}` : 'Live: visitors see the site',
        sentence: [
          'The certificate is renewed by itself',
          ...(certificate ? [' ', { ago: certificate.renewAt }] : []),
          '.',
          ...(unclearSince === null
            ? []
            : [' DNS gives no clear answer at the moment, which changes nothing for visitors.']),
        ],
        next: 'visit',
        line: certificate ? `${does} · certificate renews in ${daysBetween(now, certificate.renewAt)}` : does,
      }
  }
}

function stepsOf(domain: Domain, now: number): Step[] {
  const { state, verifiedAt, failingSince, unclearSince, certificate, issuance, nextCheckAt, servedUntil } = domain
  const isVerifying = state === 'verifying'
  const isAttached = verifiedAt !== null && state !== 'removed'
  const isWrong = failingSince !== null
  const isRight = isAttached && !isWrong
  const step = (title: string, mark: Step['mark'], ...about: Sentence): Step => ({ title, mark, about })

  const record = isRight
    ? step('DNS record', 'done', 'In place')
    : isVerifying
      ? step('DNS record', 'now', 'Being looked at')
      : isWrong
        ? step('DNS record', 'trouble', 'Not right')
        : step('DNS record', 'now', unclearSince === null ? 'Create it at your registrar' : 'No clear answer')
  const verify = isRight
    ? step('Verify', 'done', 'Verified ', { ago: verifiedAt })
    : isVerifying
      ? step('Verify', 'now', 'Asking the nameservers')
      : isAttached
        ? step('Verify', 'trouble', 'Does not verify any more')
        : nextCheckAt === null
          ? step('Verify', 'waiting', 'Choose Verify when the record is right')
          : step('Verify', 'waiting', 'We look again ', { ago: nextCheckAt })
  const isAtRisk = certificate !== null && isCertificateAtRisk(lifeOf(certificate), now)
  const hasEnded = certificate === null && domain.certificateEndedAt !== null
  const secured = certificate
    ? isAtRisk
      ? step('Certificate', 'trouble', 'Not renewed yet')
      : step('Certificate', 'done', 'Issued')
    : hasEnded
      ? step('Certificate', 'trouble', 'Has ended')
      : state !== 'issuing'
        ? step('Certificate', 'waiting', 'Issued automatically')
        : issuance?.problem
          ? step('Certificate', 'trouble', 'Has a problem')
          : step('Certificate', 'now', 'Being issued')
  const live =
    state === 'live'
      ? step('Live', 'done', 'Visitors are served')
      : state !== 'attention'
        ? step('Live', 'waiting', 'Then it is live')
        : servedUntil === null
          ? step('Live', 'trouble', hasEnded ? 'Over HTTP only' : 'Visitors are served')
          : step('Live', 'trouble', 'Visitors are served until ', { on: servedUntil })
  return [record, verify, secured, live]
}

/** What a domain that is served does. */
const effectOf = ({ redirect, role }: Domain) =>
  role === 'wildcard'
    ? 'shows the site at every name'
    : redirect
      ? `redirects to ${redirect.to} with ${redirect.status}`
      : 'shows the site'

/** After Verify it is looked at again for 48 hours. */
function lookAgain({ nextCheckAt, checkedAt }: Domain): Sentence {
  if (nextCheckAt !== null) return [' We look again by ourselves ', { ago: nextCheckAt }, '.']
  return checkedAt === null ? [] : [' We look again when you choose Verify.']
}

const lifeOf = ({ notBefore, notAfter, renewAt }: NonNullable<Domain['certificate']>) => ({
  notBefore: Date.parse(notBefore),
  notAfter: Date.parse(notAfter),
  renewAt: Date.parse(renewAt),
})

function daysBetween(now: number, at: string): string {
  return countText(Math.max(0, Math.floor((Date.parse(at) - now) / 86_400_000)), 'day')
}
