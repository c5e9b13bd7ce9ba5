import * as domains from '../../src/features/domains/contract.ts'
import * as orders from '../../src/features/orders/contract.ts'
import * as pets from '../../src/features/pets/contract.ts'
import * as keys from '../../src/platform-api/routes/keys.ts'
import * as members from '../../src/platform-api/routes/members.ts'
import * as notifications from '../../src/platform-api/routes/notifications.ts'
import * as operator from '../../src/platform-api/routes/operator.ts'
import * as projects from '../../src/platform-api/routes/projects.ts'
import * as sandbox from '../../src/platform-api/routes/sandbox.ts'
import * as secondFactors from '../../src/platform-api/routes/second-factors.ts'
import * as session from '../../src/platform-api/routes/session.ts'
import type { ObjectSchema } from '../../src/platform/schema.ts'
import type { Random } from '../campaign/random.ts'

/** Everything that the interface and the dashboard ask a body for. */
export const BODY_SCHEMAS = [
  pets,
  orders,
  domains,
  keys,
  members,
  notifications,
  operator,
  projects,
  sandbox,
  secondFactors,
  session,
]
  .flatMap((contracts) => Object.values<unknown>(contracts))
  .filter((one): one is ObjectSchema => (one as Partial<ObjectSchema>).properties !== undefined)

const FIELDS = [...new Set(BODY_SCHEMAS.flatMap(({ properties }) => Object.keys(properties)))]

/** JSON that is well formed and means nothing good. */
const ODD = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e999',
  '9223372036854775808',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
].concat(['"\\ud800"', '[]', '{}', '[null]', '"2027-02-30"', '"🐕"', '"xn--a"', '"../.."', '"%00"', '"\\u202e"'])

/** What the service might take for these fields; the passwords are right in one of three cases. */
const PLAUSIBLE: Record<string, readonly string[]> = {
  name: ['"Rex"', '"@"', '"www"'],
  categoryId: ['1', '-9223372036854775808'],
  petId: ['1', '2'],
  status: ['"available"', '"sold"', '"completed"', '"cancelled"', '308'],
  email: ['"eve@example.com"', '"person-1@example.com"', '"a@b"'],
  slug: ['"stable-9"', '"xn--kennel"', '"admin"'],
  role: ['"viewer"', '"editor"', '"owner"'],
  environment: ['"production"', '"staging"'],
  scopes: ['["read"]', '["read","write"]', '["read","read"]'],
  expiresAt: ['"2027-01-31T12:00:00Z"', '"+275760-09-13T00:00:00Z"', '"9999-12-31T23:59:60Z"', '"0001-01-01"'],
  overlapHours: ['0', '720'],
  hostname: ['"www.shop.example"', '"shop.example"', '"my-shop.test"', '"bücher.example"', '"127.0.0.1"'],
  to: ['"shop.example"', '"www.shop.example"'],
  plan: ['"pro"', '"free"'],
  apex: ['"my-shop.test"', '"test"', '"."'],
  type: ['"A"', '"CNAME"', '"TXT"', '"ALIAS"', '"CAA"', '"MX"'],
  value: ['"192.0.2.1"', '"shop.example."', '"0 issue \\"pets.example\\""', '"10 mx.example."'],
  kind: ['"servfail"', '"timeout"', '"nxdomain"', '"lame"'],
  ttl: ['0', '604800'],
  maxAgeSeconds: ['0', '31536000'],
  currentPassword: ['"correct horse battery"', '"wrong"', '"x"'],
  newPassword: ['"correct horse battery"', '"correct horse battery"', '"short"'],
  password: ['"correct horse battery"', '"wrong horse battery"'],
  upTo: ['1', '9007199254740991'],
  requireSecondFactor: ['true', 'false'],
  code: ['"123456"', '"aaaa-bbbb"'],
  passkey: ['"{}"', '"null"', '"{\\"id\\":\\"YQ\\",\\"response\\":{}}"', '"{\\"id\\":\\"\\\\u0000\\"}"'],
}

/** A few fields that the schemas know, with values that they should not take. */
export function oddBody(random: Random, depth = 0): string {
  const value = () => (depth < 3 && random.below(6) === 0 ? oddBody(random, depth + 1) : random.pick(ODD))
  const names = Array.from({ length: random.below(8) }, () => random.pick(FIELDS))
  return objectOf(names, value)
}

/** Every field that there is, most with a value that may pass: what a route does not declare it does not see. */
export function nearlyGoodBody(random: Random): string {
  return objectOf(FIELDS, (name) => random.pick(random.below(8) === 0 ? ODD : (PLAUSIBLE[name] ?? ['"abc"', ...ODD])))
}

const objectOf = (names: readonly string[], value: (name: string) => string) =>
  `{${names.map((name) => `"${name}":${value(name)}`).join(',')}}`
