import { ENVIRONMENTS } from '../../platform/http/operation.ts'
import { oneOf, type Schema, text } from '../../platform/schema.ts'

const named = (description: string, example: string): Schema<string> => text({ description, examples: [example] })

/** What stands in the paths as `{name}`. */
const PARAMETERS: Readonly<Record<string, Schema>> = {
  project: named('Slug of the project.', 'kennel'),
  slug: named('Slug of the project.', 'kennel'),
  environment: oneOf(ENVIRONMENTS, { description: 'Whose animals are meant.', examples: ['production'] }),
  account: named('Id of the member.', 'acc_0000000000000000'),
  invitation: named('Id of the invitation.', 'inv_0000000000000000'),
  session: named('Id of the session.', 'ses_0000000000000000'),
  factor: named('Id of the passkey or of the one-time codes.', 'fac_0000000000000000'),
  key: named('Id of the key.', 'key_0000000000000000'),
  token: named('Id of the token.', 'pat_0000000000000000'),
  deploy: named('Id of the deploy.', 'dep_0000000000000000'),
  sha256: named(
    'SHA-256 of the content, in hexadecimal.',
    '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  ),
  webhook: named('Id of the webhook endpoint.', 'whk_0000000000000000'),
  listener: named('Id of the listener.', 'whk_0000000000000000'),
  message: named('Id of the message.', 'msg_0000000000000000'),
  hostname: named('The domain, in its A-label form.', 'www.example.com'),
  domain: named('The domain.', 'example.test'),
  provider: named('Id of the service provider.', 'petstore.example'),
  service: named('Id of the template.', 'site'),
  apex: named('The zone.', 'example.test'),
  record: named('Id of the record.', 'rec_0000000000000000'),
  fault: named('Id of the fault.', 'flt_0000000000000000'),
}

export function parameterSchema(path: string, name: string): Schema {
  const schema = PARAMETERS[name]
  if (!schema)
    throw new Error(`${path}: nothing is said of {${name}}. Add it to src/platform-api/openapi/parameters.ts.`)
  return schema
}
