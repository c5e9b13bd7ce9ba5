import { X509Certificate } from 'node:crypto'
import { readConfig } from '../../config.ts'
import { openRoot } from '../../features/certificates/authority/root.ts'
import { openVault } from '../../features/certificates/open-vault.ts'
import { findRootCertificate } from '../../features/certificates/queries.ts'
import { findKeyId } from '../../platform/master-key.ts'
import { CommandError, defineCommand } from '../../../cli/src/line/command.ts'
import { json } from '../../../cli/src/line/options.ts'
import { openPlainStorage } from '../storage.ts'

export const command = defineCommand({
  about: `Prints the root certificate of the internal CA, in PEM. Whoever imports it trusts the sites of this
installation: in a browser under its certificate settings, for curl with --cacert, for Node with NODE_EXTRA_CA_CERTS.`,
  arguments: [],
  options: { json },
  examples: ['petstore ca root > petstore-root.pem', 'petstore ca root --json'],
  async run({ values, terminal, clock }) {
    const config = readConfig()
    await using storage = await openPlainStorage(config)
    const certificate = (await findRootCertificate(storage.read)) ?? (await makeRoot())
    if (!values.json) return terminal.print(certificate.trimEnd())
    const { fingerprint256: fingerprint, validToDate } = new X509Certificate(certificate)
    terminal.printJson({ certificate, fingerprint, expiresAt: validToDate.toISOString() })

    /** A service that has shown no certificate yet has not needed one. Which key seals it, the service says. */
    async function makeRoot(): Promise<string> {
      if ((await findKeyId(storage)) !== undefined)
        return (await openRoot(storage, await openVault(storage, config), clock)).certificatePem
      throw new CommandError('There is no root yet: start the service once, which makes the key that seals it.')
    }
  },
})
