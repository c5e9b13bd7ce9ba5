import type { Config } from '../../config.ts'
import type { SecretSealer } from '../../features/accounts/second-factors/secret-sealer.ts'
import { openVault } from '../../features/certificates/open-vault.ts'
import { findKeyId } from '../../platform/master-key.ts'
import { CommandError } from '../../../cli/src/line/command.ts'
import type { Storage } from '../../platform/storage/storage.ts'

export const printLink = {
  type: 'boolean',
  help: 'print the link also where a mail server is configured, to hand it over yourself',
} as const

/** What seals a link that is mailed; undefined where the link is to be printed. */
export async function mailSealerOf(
  storage: Storage,
  config: Config,
  values: { 'print-link': boolean | undefined; 'password-stdin': boolean | undefined },
): Promise<SecretSealer | undefined> {
  if (!config.smtp || values['print-link'] || values['password-stdin']) return undefined
  if ((await findKeyId(storage)) !== undefined) return openVault(storage, config)
  // A key that a command made, in whichever directory it was called, would keep the service from starting.
  throw new CommandError(
    'No service has been started on this database, which makes the key that seals a link in a mail. Start it first, ' +
      'or hand the link over yourself, with --print-link.',
  )
}

export const wasMailed = (email: string) =>
  `The service mails a link to ${email}, on which the password is chosen; it works once, for a day.`
