import type { AuditEntry } from '../../../../client/src/platform/platform.ts'
import { countText } from '../../parts/count-text.ts'

type Details = AuditEntry['details']

/** What an entry says to people. Entries outlive the code that wrote them: an unknown verb is shown as it stands. */
export function sentenceOf({ verb, subject, details }: AuditEntry): string {
  return SENTENCES[verb]?.(subject, details) ?? `${verb.replaceAll('.', ' ')} ${subject}`
}

const SENTENCES: Record<string, (subject: string, details: Details) => string> = {
  'account.create': (subject) => `Account ${subject} created`,
  'account.rename': (_, { name }) => `Name changed to ${name}`,
  'account.address': (subject, { from }) => `Address changed from ${from} to ${subject}`,
  'account.confirm': (subject) => `Address ${subject} confirmed`,
  'account.expire': (subject) => `Account ${subject} removed: its address was never confirmed`,
  'address.link': (subject) => `Link sent to ${subject}, to confirm it as the address`,
  'password.link': (subject) => `Password link made for ${subject}`,
  'password.reset': (subject) => `Password of ${subject} set through a link`,
  'password.change': () => 'Password changed',
  'second-factor.add': (_, { kind, name }) => `${kind === 'passkey' ? 'Passkey' : 'App for codes'} “${name}” added`,
  'second-factor.remove': () => 'Passkey or app for codes removed',
  'second-factor.lose': (_, { name }) => `Codes of the app “${name}” lost with the master key`,
  'recovery-codes.renew': () => 'New recovery codes made',
  'session.open': (_, { network }) => `Signed in from ${network}`,
  'session.end': (_, { ended }) => `${countText(Number(ended), 'session')} ended`,
  'invitation.create': (_, { role, email }) => `Invited ${email ?? 'somebody'} as ${role}`,
  'invitation.withdraw': () => 'Invitation withdrawn',
  'member.join': (subject, { role }) =>
    subject === 'invitation' ? `Joined as ${role}` : `${subject} joined as ${role}`,
  'member.change': (subject, { from, to, ...made }) => `${subject} changed from ${from} to ${to}${madeText(made)}`,
  'member.remove': (subject, made) => `${subject} removed from the project${madeText(made)}`,
  'project.create': (subject) => `Project ${subject} created`,
  'project.change': (_, { name, slug, requireSecondFactor: required }) =>
    [
      name && `Name changed to ${name}`,
      slug && `Address changed to ${slug}`,
      required === true && 'Passkey or one-time codes required of every member',
      required === false && 'Passkey or one-time codes no longer required',
    ]
      .filter(Boolean)
      .join(', '),
  'project.plan': (_, { from, to }) => `Plan changed from ${from} to ${to}`,
  'project.suspend': (subject, { reason }) => `Project ${subject} suspended: ${reason}`,
  'project.resume': (subject) => `Project ${subject} no longer suspended`,
  'project.delete': (subject) => `Project ${subject} deleted`,
  'key.create': (_, { name, environment }) => `Key “${name}” created for ${environment}`,
  'key.revoke': (subject) => `Key ${subject} revoked`,
  'key.rotate': (subject, { successor }) => `Key ${subject} rotated to ${successor}`,
  'token.create': (_, { name, scopes }) => `Token “${name}” created for ${String(scopes).replaceAll(' ', ', ')}`,
  'token.revoke': (subject) => `Token ${subject} revoked`,
  'webhook.create': (_, { url }) => `Webhook endpoint ${url} added`,
  'webhook.change': (subject, { changed, on }) =>
    `Webhook endpoint ${subject} ` +
    [changed && 'changed', on === true && 'switched on', on === false && 'switched off'].filter(Boolean).join(', '),
  'webhook.off': (_, { url, reason }) => `Webhook endpoint ${url} switched off: ${reason}`,
  'webhook.rotate': (subject) => `Secret of the webhook endpoint ${subject} rotated`,
  'webhook.resend': (_, { messageId }) => `Webhook message ${messageId} sent again`,
  'webhook.remove': (_, { url }) => `Webhook endpoint ${url} removed`,
  'deploy.create': (subject, { files }) => `Deployed ${countText(Number(files), 'file')} as ${subject}`,
  'deploy.keep': (subject, { files }) => `Kept ${countText(Number(files), 'file')} for a preview as ${subject}`,
  'deploy.delete': (subject) => `Deploy ${subject} removed`,
  'deploy.activate': (subject) => `Deploy ${subject} made active`,
  'pet.add': (subject, { name, environment }) => `Animal ${subject} “${name}” added in ${environment}`,
  'pet.delete': (subject, { name, environment }) => `Animal ${subject} “${name}” deleted in ${environment}`,
  'pet.change': (subject, details) => `Animal ${subject} changed in ${details.environment}: ${changesOf(details)}`,
  'order.place': (subject, { petId, environment }) => `Order ${subject} placed for animal ${petId} in ${environment}`,
  'order.end': (subject, { status, environment }) => `Order ${subject} ${status} in ${environment}`,
  'domain.add': (subject) => `Domain ${subject} added`,
  'domain.connect': (subject, { provider }) => `${subject} taken to ${provider} to be connected`,
  'domain.connect-return': (subject, { provider, outcome }) => `Back from ${provider} with ${subject}: ${outcome}`,
  'domain.prepare': (subject) => `Domain ${subject} to be prepared`,
  'domain.prepared': (subject) => `${subject} prepared: its records let us have its certificate`,
  'domain.verify': (subject) => `Verify chosen for ${subject}`,
  'domain.checked': (subject) => `${subject} checked, and something was found`,
  'domain.verified': (subject) => `${subject} verified`,
  'domain.unserved': (subject) => `${subject} is not served any more: its DNS leads elsewhere`,
  'domain.lost': (subject) => `${subject} given up: another project has proved that it is theirs`,
  'domain.expire': (subject) => `${subject} left the list: it was never verified`,
  'domain.primary': (subject) => `${subject} made the primary domain`,
  'domain.redirect': (subject, { to, status }) => `${subject} redirects to ${to} with ${status}`,
  'domain.hsts': (subject, { seconds }) =>
    seconds === null
      ? `HSTS of ${subject} switched off`
      : `HSTS of ${subject} set to ${countText(Number(seconds), 'second')}`,
  'domain.remove': (subject) => `Domain ${subject} removed`,
  'certificate.issue': (subject) => `Certificate for ${subject} issued`,
  'certificate.renew': (subject) => `Certificate for ${subject} renewed`,
  'certificate.fail': (subject) => `Certificate for ${subject} could not be issued`,
  'certificate.expiring': (subject) => `Certificate for ${subject} runs out without a successor`,
  'domain.served_wrong': (subject) => `${subject} was seen to be served wrongly`,
  'domain.served_right': (subject) => `${subject} was seen to be served as it should be again`,
  'certificate.revoke': (subject) => `Certificate for ${subject} revoked`,
  'pet.import': (_, { environment }) => `Animals imported into ${environment}`,
}

/** What became of the keys and tokens of somebody who may no longer have made them. */
function madeText({ keys, tokens, keysTo }: Details): string {
  const became = keysTo ? `taken over by ${keysTo}` : 'ended'
  return (keys ? `, keys ${became}: ${keys}` : '') + (tokens ? `, tokens ${became}: ${tokens}` : '')
}

/** Entries from before both were kept name the fields alone. */
function changesOf(details: Details): string {
  const fields = String(details.changed).split(' ')
  const told = fields.filter((field) => details[`${field} to`] !== undefined)
  if (told.length === 0) return fields.map(nameOf).join(', ')
  return told
    .map((field) => `${nameOf(field)} from ${details[`${field} from`]} to ${details[`${field} to`]}`)
    .join(', ')
}

const nameOf = (field: string) => (field === 'categoryId' ? 'category' : field)
