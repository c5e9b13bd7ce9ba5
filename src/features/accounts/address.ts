import { conflict, invalid, unavailable } from '../../platform/errors.ts'
import type { SendMail } from '../../platform/mail.ts'
import { changeAddressRow, confirmAddressRow, insertAddressLink } from './account-writes.ts'
import type { Account } from './accounts.ts'
import { parseEmail } from './email.ts'
import { linkIsSpent, linkUrl, newLink, requireLink } from './links.ts'
import { requireOwnPassword } from './passwords/own-password.ts'
import { type SignedIn, signedInView } from './sessions.ts'
import type { SignInNeeds } from './sign-in.ts'
import { hashToken } from './token.ts'

export interface AddressNeeds extends SignInNeeds {
  /** Undefined where no mail server is configured: then nobody can confirm an address. */
  send: SendMail | undefined
  dashboardUrl: string
}

export interface AddressChange {
  account: Account
  /** Where a link was sent that has to be opened first; null when the address has been changed. */
  sentTo: string | null
}

/** The address that one signs in with. Where there is mail, a link shows first that the new one can be reached. */
export async function changeAddress(
  needs: AddressNeeds,
  who: SignedIn,
  input: { email: string; currentPassword: string },
): Promise<AddressChange> {
  const { storage, clock, send, dashboardUrl } = needs
  const email = parseEmail(input.email)
  if (email === who.email) throw invalid('The address was not changed: it is the one that you have.')
  await requireOwnPassword(needs, who, input.currentPassword)
  const now = clock.now()
  if (send === undefined) {
    const { kind } = await storage.write(changeAddressRow, { accountId: who.id, email })
    if (kind === 'taken') throw taken()
    return { account: { ...signedInView(who), email }, sentTo: null }
  }
  const { token, row } = newLink('email', { account_id: who.id, email }, now)
  const { kind } = await storage.write(insertAddressLink, row)
  if (kind === 'taken') throw taken()
  const mail = {
    to: [email],
    subject: 'Confirm your new address',
    text:
      `${who.name}, who signs in with ${who.email}, wants to sign in with this address from now on. ` +
      `If that is you, open this link within a day:\n\n${linkUrl(dashboardUrl, 'email', token)}\n\n` +
      'If it is not, do nothing: nothing changes.\n',
    messageId: messageIdOf(row.id, dashboardUrl),
  }
  await send(mail).catch((error: unknown) => {
    throw unavailable(`The mail to ${email} could not be sent, and nothing was changed: try again in a while.`, error)
  })
  return { account: signedInView(who), sentTo: email }
}

/** Whoever opens the link can read what is sent to the new address. The old one is told. */
export async function confirmAddress(
  needs: Pick<AddressNeeds, 'storage' | 'clock' | 'send' | 'dashboardUrl'>,
  token: string,
): Promise<{ email: string }> {
  await requireLink(needs, token, 'email')
  const outcome = await needs.storage.write(confirmAddressRow, { tokenHash: hashToken(token), now: needs.clock.now() })
  if (outcome.kind === 'no-link') throw linkIsSpent()
  if (outcome.kind === 'taken') throw taken()
  const { linkId, email, from } = outcome
  // It is changed, whatever becomes of the notice.
  await needs
    .send?.({
      to: [from],
      subject: 'Your address has been changed',
      text: `You sign in with ${email} from now on. If it was not you who changed it, tell the operator at once.\n`,
      messageId: messageIdOf(`${linkId}-changed`, needs.dashboardUrl),
    })
    .catch(() => {})
  return { email }
}

const messageIdOf = (id: string, dashboardUrl: string) => `<${id}@${new URL(dashboardUrl).hostname}>`

const taken = () => conflict('The address was not changed: another account has it.')
