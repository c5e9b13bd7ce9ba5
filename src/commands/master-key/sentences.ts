import type { Config } from '../../config.ts'
import type { Lost } from './lost.ts'

/** What is given up, what follows, and for whom; nothing of what there was none of. */
export function sentencesOf(lost: Lost, { smtp }: Pick<Config, 'smtp'>): string[] {
  const told = smtp ? 'They are told by mail.' : 'No mail server is configured: tell them.'
  const sentences: [isLost: unknown, sentence: string][] = [
    [
      lost.certificates,
      `private keys of certificates: ${lost.certificates}. HTTPS fails at their names until they are issued anew, ` +
        'with which the next start begins by itself, within the limits of the authority. Domains stay verified.',
    ],
    [lost.orders, `orders of certificates under way: ${lost.orders}. They are begun anew by themselves.`],
    [
      lost.revocations,
      `revocations that people wanted and the authority has not made: ${lost.revocations}. They are not made.`,
    ],
    [
      lost.accounts.length,
      `accounts at certificate authorities: ${lost.accounts.join(', ')}. New ones are registered by themselves. ` +
        'CAA records with an accounturi have to name the new one, and an authority that wants an external account ' +
        'may want new values in PETSTORE_ACME_EAB_KID and PETSTORE_ACME_EAB_KEY.',
    ],
    [
      lost.root,
      'the root of the internal CA. Another is made by itself: whoever has imported the old one imports the new one, ' +
        'from `petstore ca root`.',
    ],
    [
      lost.domainConnectKey,
      'the key that signs links to DNS providers (Domain Connect). Another is made by itself: publish the TXT ' +
        'records that the page of the operator shows then.',
    ],
    [
      lost.webhookSecrets,
      `secrets of webhook endpoints: ${lost.webhookSecrets}. Those that were on are off until a member rotates the ` +
        `secret; what happens until then waits for up to two weeks, and is sent then. ${told}`,
    ],
    [
      lost.codes,
      `secrets of apps for one-time codes: ${lost.codes}. Their people sign in with a passkey or a recovery code, ` +
        `which still work, remove the app, and add it anew; a password alone opens nothing more than before. ${told}`,
    ],
    [
      lost.lockedOut.length,
      'of those, accounts without a passkey and without recovery codes. Give each a link, by ' +
        `\`petstore users reset-password EMAIL --print-link\`: ${lost.lockedOut.join(', ')}`,
    ],
    [
      lost.mails,
      `links in mails that wait to be sent: ${lost.mails}. These mails are not sent: whoever asked for one asks again.`,
    ],
  ]
  const found = sentences.filter(([isLost]) => isLost).map(([, sentence]) => sentence)
  return found.length > 0 ? found : ['nothing but the key: it has sealed nothing that is still there.']
}
