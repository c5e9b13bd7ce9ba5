import type { Domain } from '../../../../client/src/platform/platform.ts'
import type { Sentence, Situation, Step } from './story.ts'

/** A domain that is to have its certificate before its record changes. */
export const isBeforeSwitch = ({ preparedAt, verifiedAt, removedAt }: Domain) =>
  preparedAt !== null && verifiedAt === null && removedAt === null

/** Its record has been changed, and not every nameserver has the change. */
export const isSwitching = ({ state, switchSeenAt }: Pick<Domain, 'state' | 'switchSeenAt'>) =>
  state === 'ready' && switchSeenAt !== null

/** Where it stands between the two records of its preparation and the switch. */
export function preparationOf(domain: Domain): Situation {
  return { ...storyOf(domain), steps: stepsOf(domain) }
}

function storyOf(domain: Domain): Omit<Situation, 'steps'> {
  const { state, failingSince, unclearSince, provedAt, switchSeenAt, issuance, certificate, nextCheckAt } = domain
  const again: Sentence = nextCheckAt === null ? [] : [' We look again by ourselves ', { ago: nextCheckAt }, '.']
  if (state === 'verifying') {
    return {
      headline: 'Asking the nameservers',
      sentence: ['Each one is asked by itself. This takes a few seconds, and the page follows.'],
      next: 'wait',
      line: 'being prepared · asking its nameservers',
    }
  }
  if (isSwitching(domain) && switchSeenAt !== null) {
    return {
      headline: 'Switching: not every nameserver leads here yet',
      sentence: [
        'The change was first seen ',
        { ago: switchSeenAt },
        '. Visitors are served here or at the old host, whichever they are led to: keep the old host running.',
        ...again,
      ],
      next: 'wait',
      line: 'switching · not every nameserver leads here yet',
    }
  }
  if (state === 'ready') {
    return {
      headline: 'Ready to switch: the certificate is waiting here',
      sentence: [
        'Change its record whenever you like. From that moment on visitors are served here, without a gap',
        ...(certificate ? ['. The certificate is renewed by itself ', { ago: certificate.renewAt }] : []),
        '.',
        ...(unclearSince === null ? [] : [' DNS gives no clear answer at the moment, which changes nothing.']),
      ],
      next: 'switch',
      line: 'ready to switch · its certificate is waiting',
    }
  }
  if (state === 'issuing') {
    const isStuck = issuance?.problem != null
    return {
      headline: isStuck ? 'The certificate has met a problem' : 'The certificate is on its way',
      sentence: ['Both records are right. Leave the domain’s own record as it is until the certificate is here.'],
      next: isStuck ? 'mend certificate' : 'wait',
      line: `being prepared · ${isStuck ? 'the certificate has a problem' : 'certificate on its way'}`,
    }
  }
  if (unclearSince !== null) {
    return {
      headline: 'DNS gives no clear answer',
      sentence: ['Since ', { ago: unclearSince }, ' there has been none.', ...again],
      next: 'wait',
      line: 'being prepared · DNS gives no clear answer',
    }
  }
  if (failingSince !== null) {
    return {
      headline: provedAt === null ? 'The two records are not both there yet' : 'A record of the preparation has gone',
      sentence: ['Visitors go on where they go now, whatever stands here.', ...again],
      next: 'mend record',
      line: 'being prepared · a record is missing',
    }
  }
  return {
    headline: 'Create two records, and change nothing else',
    sentence: ['Visitors go on where they go now. The certificate is issued meanwhile.', ...again],
    next: 'create records',
    line: 'being prepared · waiting for two records',
  }
}

function stepsOf({ state, provedAt, failingSince, switchSeenAt, certificate, issuance }: Domain): Step[] {
  const isProved = provedAt !== null && failingSince === null
  const step = (title: string, mark: Step['mark'], ...about: Sentence): Step => ({ title, mark, about })
  return [
    isProved
      ? step('Two records', 'done', 'Seen ', { ago: provedAt })
      : failingSince === null
        ? step('Two records', 'now', state === 'verifying' ? 'Being looked at' : 'Create them at your registrar')
        : step('Two records', 'trouble', 'Not both are right'),
    certificate
      ? step('Certificate', 'done', 'Waiting here')
      : !isProved || state === 'verifying'
        ? step('Certificate', 'waiting', 'Comes before the switch')
        : issuance?.problem
          ? step('Certificate', 'trouble', 'Has a problem')
          : step('Certificate', 'now', 'Being issued'),
    isProved && switchSeenAt !== null
      ? step('Switch', 'now', 'Under way')
      : state === 'ready'
        ? step('Switch', 'now', 'Change the record when you like')
        : step('Switch', 'waiting', 'Then you change the record'),
    step('Live', 'waiting', 'Without a gap'),
  ]
}
