import '../tables.ts'
import { HOUR_MS } from '../../../platform/clock.ts'
import type { AuditNote } from '../../../platform/storage/audit-note.ts'
import type { Db, Engine } from '../../../platform/storage/tables.ts'
import { countMailsLike, findAccountById, findProjectName, listOperatorAddresses } from '../queries.ts'
import { queueMail } from './outbox.ts'

interface Notice {
  subject: string
  text: string
}

type Words = (details: NonNullable<AuditNote['details']>, note: AuditNote, project: string) => Notice | undefined

const CHANGE_PASSWORD = 'If it was not you, change your password at once: that ends every session.'
const ASK_OWNER = 'If you did not expect that, ask an owner of the project.'
const CHECK_FACTORS =
  'If it was not you, change your password at once, and look at the passkeys and apps of your account.'

/** What the person is told of a change, by the verb of its audit note. Other changes are nobody's news. */
const NOTICES: Record<string, Words> = {
  'session.open': ({ network, userAgent, newDevice, with: how }) => {
    if (how === 'recovery') {
      return {
        subject: 'A recovery code was used',
        text: `Somebody has signed in from ${network} with one of your recovery codes. ${CHECK_FACTORS}`,
      }
    }
    if (newDevice !== true) return undefined
    const text = `Somebody has signed in from ${network}, on a device that your account did not know (${userAgent}).`
    return { subject: 'New sign-in to your account', text: `${text} ${CHANGE_PASSWORD}` }
  },
  'password.change': () => passwordChanged,
  'password.reset': () => passwordChanged,
  'account.address': (_, { subject }) => ({
    subject: 'Your address has been changed',
    text: `You sign in with ${subject} from now on. If it was not you who changed it, tell the operator at once.`,
  }),
  'second-factor.add': ({ kind, name }) => ({
    subject: kind === 'passkey' ? 'A passkey was added' : 'One-time codes were added',
    text: `Your account has a new ${kind === 'passkey' ? 'passkey' : 'app for codes'}, “${name}”. ${CHECK_FACTORS}`,
  }),
  'second-factor.remove': () => ({
    subject: 'A passkey or app was removed',
    text: `A passkey or an app for one-time codes was taken from your account. ${CHECK_FACTORS}`,
  }),
  'second-factor.lose': ({ name }) => ({
    subject: 'Your one-time codes do not work any more',
    text:
      `The operator has lost the key that the secret of your app “${name}” was sealed with; nobody has learnt it. ` +
      'Sign in with a passkey or one of your recovery codes, remove the app from your account, and add it anew. ' +
      'If you have neither, ask the operator for a link.',
  }),
  'recovery-codes.renew': () => ({
    subject: 'New recovery codes were made',
    text: `The recovery codes that your account had before do not work any more. ${CHECK_FACTORS}`,
  }),
  'member.change': ({ from, to }, _, project) => ({
    subject: 'Your role has been changed',
    text: `You are ${to} of the project ${project} from now on; you were ${from}. ${ASK_OWNER}`,
  }),
  'member.remove': (_, __, project) => ({
    subject: 'You are no longer a member of a project',
    text: `You are no longer a member of the project ${project}. ${ASK_OWNER}`,
  }),
  'project.delete': ({ name }, { accountId }) =>
    accountId
      ? {
          subject: 'A project has been deleted',
          text:
            `The project ${name} has been deleted, with its site, domains, animals, orders and keys, for good. ` +
            'The activity of your account says by whom. If you did not expect that, tell the operator at once.',
        }
      : undefined,
  'master-key.give-up': ({ certificates, webhookSecrets, codes, mails }, { subject }) => ({
    subject: 'A lost master key has been given up',
    text:
      `Somebody at the machine has given up the master key ${subject} of this service, with what only it could open: ` +
      `${certificates} private keys of certificates, ${webhookSecrets} secrets of webhooks, ${codes} apps for ` +
      `one-time codes, ${mails} mails. If you did not expect that, look at who has access to the machine.`,
  }),
  // Those of domains are told to the people of their project.
  'certificate.expiring': ({ left, notAfter }, { subject, projectId }) =>
    projectId
      ? undefined
      : {
          subject: `The platform’s certificate for ${subject} could not be renewed yet`,
          text:
            `Less than ${left} of its life is left: it is served until ${notAfter}; after that browsers will warn. ` +
            'The page of the operator says what keeps the authority from issuing it.',
        },
  'certificate.renew': ({ wasLate, notAfter }, { subject }) =>
    wasLate
      ? {
          subject: `The platform’s certificate for ${subject} has been renewed`,
          text: `The new one is good until ${notAfter}. There is nothing left to do.`,
        }
      : undefined,
}

const passwordChanged: Notice = {
  subject: 'Your password has been changed',
  text:
    'Every other session has ended, and so have the invitations that you had open. ' +
    'If it was not you, choose “Forgot your password?” at once, or ask the operator.',
}

/** A change that is made over and over is no longer news: who can repeat it must not fill somebody's mailbox. */
const ALIKE_PER_HOUR = 10

/** Tells the person of a change to their account, and operators of the platform's certificates, with the change. */
export function noticesByMail(dashboardUrl: string) {
  return async (db: Db, engine: Engine, note: AuditNote, now: number): Promise<void> => {
    const words = NOTICES[note.verb]
    if (!words) return
    const project = note.projectId ? await findProjectName(db, note.projectId) : undefined
    const notice = words(note.details ?? {}, note, project ?? '')
    if (!notice) return
    for (const to of await recipientsOf(db, note)) {
      if ((await countMailsLike(db, { to, subject: notice.subject, since: now - HOUR_MS })) >= ALIKE_PER_HOUR) continue
      await queueMail(db, engine, { to, subject: notice.subject, text: `${notice.text}\n\n${dashboardUrl}` }, now)
    }
  }
}

async function recipientsOf(db: Db, { verb, subject, accountId, details }: AuditNote): Promise<string[]> {
  if (/^(?:certificate|master-key)\./.test(verb)) return listOperatorAddresses(db)
  // The new address has been shown to be theirs; the old one may know better.
  if (verb === 'account.address') return details?.neverConfirmed === true ? [] : [String(details?.from)]
  if (!accountId) return [subject]
  const account = await findAccountById(db, accountId)
  return account?.must_confirm === 0 ? [account.email] : []
}
