import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { changeAddressRow, confirmAddressRow, insertAddressLink, insertConfirmationLink } from './address-writes.ts'
import type { Account } from './accounts.ts'
import { parseEmail, spellingsOf } from './email.ts'
import { linkIsSpent, newLink, requireLink } from './links.ts'
import { type LinkMailNeeds, mailLink } from './mail/link-mail.ts'
import { requireOwnPassword } from './passwords/own-password.ts'
import { type SignedIn, signedInView } from './sessions.ts'
import type { SignInNeeds } from './sign-in.ts'
import { hashToken } from './token.ts'

interface AddressNeeds extends SignInNeeds, LinkMailNeeds {}

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
  const { storage, clock } = needs
  const email = parseEmail(input.email)
  if (spellingsOf(email).includes(who.email)) throw invalid('The address was not changed: it is the one that you have.')
  await requireOwnPassword(needs, who, input.currentPassword)
  if (!needs.mail) {
    const { kind } = await storage.write(changeAddressRow, { accountId: who.id, email })
    if (kind === 'taken') throw taken()
    return { account: { ...signedInView(who), email, confirmed: false }, sentTo: null }
  }
  await needs.throttle.confirmationMail(who.id)
  const { row } = newLink('email', { account_id: who.id, email }, clock.now())
  const words = {
    to: email,
    subject: 'Confirm your new address',
    text:
      `Somebody who signs in with ${who.email} at ${new URL(needs.dashboardUrl).host} wants to use this address ` +
      'from now on. If that is you, open the link below within a day. If it is not, do nothing: nothing changes.',
  }
  const { kind } = await storage.write(insertAddressLink, mailLink(needs, row, words))
  if (kind === 'taken') throw taken()
  return { account: signedInView(who), sentTo: email }
}

/** For somebody whose own address waits to be confirmed, or never was. */
export async function askForConfirmation(
  needs: Pick<AddressNeeds, 'storage' | 'clock' | 'throttle'> & LinkMailNeeds,
  who: SignedIn,
): Promise<{ sentTo: string }> {
  if (!needs.mail) throw notFound('This service sends no mail: an address cannot be confirmed here.')
  if (who.confirmed) throw conflict('Your address is confirmed already.')
  await needs.throttle.confirmationMail(who.id)
  await needs.storage.write(insertConfirmationLink, confirmationMail(needs, who, needs.clock.now()))
  return { sentTo: who.email }
}

/** A link by which the person shows that the account's own address is theirs. */
export function confirmationMail(needs: LinkMailNeeds, account: Pick<Account, 'id' | 'email'>, now: number) {
  const { row } = newLink('email', { account_id: account.id, email: account.email }, now)
  return mailLink(needs, row, {
    to: account.email,
    subject: 'Confirm your address',
    text:
      `Somebody has an account at ${new URL(needs.dashboardUrl).host} with this address. If it is you, open the link ` +
      'below within a day. If it is not, do nothing.',
  })
}

/** Whoever opens the link can read what is sent to the new address. */
export async function confirmAddress(
  needs: Pick<AddressNeeds, 'storage' | 'clock'>,
  token: string,
): Promise<{ email: string }> {
  await requireLink(needs, token, 'email')
  const outcome = await needs.storage.write(confirmAddressRow, { tokenHash: hashToken(token), now: needs.clock.now() })
  if (outcome.kind === 'no-link') throw linkIsSpent()
  if (outcome.kind === 'taken') throw taken()
  return { email: outcome.email }
}

const taken = () => conflict('The address was not changed: another account has it.')
