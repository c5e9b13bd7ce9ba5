import { X509Certificate } from 'node:crypto'
import { findRootCertificate } from '../../features/certificates/queries.ts'
import { CommandError, defineCommand } from '../../../cli/src/line/command.ts'
import { json } from '../../../cli/src/line/options.ts'
import { openCommandStorage } from '../storage.ts'

export const command = defineCommand({
  about: `Prints the root certificate of the internal CA, in PEM. Whoever imports it trusts the sites of this
installation: in a browser under its certificate settings, for curl with --cacert, for Node with NODE_EXTRA_CA_CERTS.`,
  arguments: [],
  options: { json },
  examples: ['petstore ca root > petstore-root.pem', 'petstore ca root --json'],
  async run({ values, terminal, clock }) {
    await using storage = await openCommandStorage(clock)
    const certificate = await findRootCertificate(storage.read)
    if (!certificate)
      throw new CommandError('There is no root yet: it is made when the service starts for the first time.')
    if (!values.json) return terminal.print(certificate.trimEnd())
    const { fingerprint256: fingerprint, validToDate } = new X509Certificate(certificate)
    terminal.printJson({ certificate, fingerprint, expiresAt: validToDate.toISOString() })
  },
})
