import { readAllowance } from '../platform/limits/allowance.ts'
import { ConfigError } from './config-error.ts'
import { type Environment, list } from './environment.ts'

/** An authority that speaks ACME, and the account there. */
export interface AcmeConfig {
  directory: string
  email: string | undefined
  caFile: string | undefined
  externalAccount: { keyId: string; key: string } | undefined
  /** What the authority allows, where the operator says it; an empty record for nothing that is limited. */
  limits: AcmeLimits | undefined
  /** Which of the authority's profiles certificates are ordered by; its own choice without it. */
  profile: string | undefined
  /** Common name of the root that chains should lead to, where the authority offers several. */
  preferredChain: string | undefined
}

type AcmeLimits = Partial<Record<(typeof ACME_LIMITS)[keyof typeof ACME_LIMITS], { burst: number; windowMs: number }>>

type Prefix = 'PETSTORE_ACME' | 'PETSTORE_ACME_FALLBACK'

export const readAcme = (environment: Environment) => readAuthority(environment, 'PETSTORE_ACME')

/** The authority that takes over when the first fails. */
export function readAcmeFallback(environment: Environment): AcmeConfig | undefined {
  const fallback = readAuthority(environment, 'PETSTORE_ACME_FALLBACK')
  if (fallback === undefined) return undefined
  const { PETSTORE_ACME_DIRECTORY: first } = environment
  if (!first) {
    throw new ConfigError('PETSTORE_ACME_FALLBACK_DIRECTORY is set, so PETSTORE_ACME_DIRECTORY must be set too.')
  }
  if (new URL(first).href === new URL(fallback.directory).href) {
    throw new ConfigError(
      `PETSTORE_ACME_FALLBACK_DIRECTORY is "${fallback.directory}", but must be another authority than the first.`,
    )
  }
  return fallback
}

const BESIDE_DIRECTORY = ['EMAIL', 'CA_FILE', 'EAB_KID', 'EAB_KEY', 'LIMITS', 'PROFILE', 'PREFERRED_CHAIN']

function readAuthority(environment: Environment, prefix: Prefix): AcmeConfig | undefined {
  const read = (name: string) => environment[`${prefix}_${name}`] || undefined
  const directory = read('DIRECTORY')
  if (!directory) {
    const lone = BESIDE_DIRECTORY.find((name) => read(name) !== undefined)
    if (lone === undefined) return undefined
    throw new ConfigError(`${prefix}_${lone} is set, so ${prefix}_DIRECTORY must be set too: it names the authority.`)
  }
  if (!URL.canParse(directory) || !directory.startsWith('https://')) {
    throw new ConfigError(`${prefix}_DIRECTORY is "${directory}", but must be the https address of an ACME directory.`)
  }
  const [keyId, key, email] = [read('EAB_KID'), read('EAB_KEY'), read('EMAIL')]
  if (Boolean(keyId) !== Boolean(key)) {
    throw new ConfigError(`${prefix}_EAB_KID and ${prefix}_EAB_KEY go together: set both, or neither.`)
  }
  if (key && !/^[\w+/-]+=*$/.test(key)) {
    throw new ConfigError(`${prefix}_EAB_KEY must be the MAC key that the authority gave you, in base64.`)
  }
  if (email && !/^[^\s@,:]+@[^\s@,:]+$/.test(email)) {
    throw new ConfigError(`${prefix}_EMAIL is "${email}", but must be one address of mail, such as ops@example.com.`)
  }
  return {
    directory,
    email,
    caFile: read('CA_FILE'),
    externalAccount: keyId && key ? { keyId, key } : undefined,
    limits: readLimits(`${prefix}_LIMITS`, read('LIMITS')),
    profile: read('PROFILE'),
    preferredChain: read('PREFERRED_CHAIN'),
  }
}

/** The names in the setting, and what they are called inside. */
const ACME_LIMITS = {
  orders: 'orders',
  domain: 'certificatesPerRegisteredDomain',
  name: 'certificatesPerExactSet',
  failures: 'failedValidationsPerHostname',
} as const

function readLimits(setting: string, text: string | undefined): AcmeLimits | undefined {
  if (!text) return undefined
  const limits: AcmeLimits = {}
  for (const part of text === 'none' ? [] : list(text)) {
    const { name = '', ...allowance } = readAllowance(part) ?? { burst: 0, windowMs: 0 }
    if (!Object.hasOwn(ACME_LIMITS, name)) {
      throw new ConfigError(
        `${setting} has "${part}", but must list what the authority allows, such as ` +
          'orders=300/3h,domain=50/7d,name=5/7d,failures=5/1h, or be none.',
      )
    }
    limits[ACME_LIMITS[name as keyof typeof ACME_LIMITS]] = allowance
  }
  return limits
}
