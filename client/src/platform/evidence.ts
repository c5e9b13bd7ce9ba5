/** A whole check, to be diagnosed again without a network by `petstore domains explain`. */
export interface Evidence {
  version: 1
  observation: Observation
  expectation: Expectation
}

/** Everything that DNS said about a hostname. Its times are milliseconds since 1970. */
interface Observation {
  version: 1
  hostname: string
  registrable: string
  /** Where it should lead. */
  target: string
  /** Where the TXT proof of a contested hostname must stand. */
  proofName: string | null
  /** Where dns-01 is looked for; absent where the installation has no zone for it. */
  challengeName?: string
  startedAt: number
  finishedAt: number
  /** False when the time for all questions ran out. */
  complete: boolean
  delegation: {
    /** The zone that holds the name, as far down as anybody answered. */
    zone: string | null
    nameservers: {
      name: string
      addresses: ServerAddress[]
      /** Addresses of private networks, which are not asked. */
      blocked: string[]
    }[]
    /** Nameservers beyond the number that is asked. */
    skipped: number
    rcode: string | null
  }
  queries: DnsQuery[]
}

/** What the observation was held against. */
interface Expectation {
  /** The public addresses of the service. */
  addresses: readonly string[]
  /** The TXT value that must be there where a proof is needed. */
  proof: string | null
  proofFor?: 'address' | 'preparation'
  /** Where the name of dns-01 must lead. */
  challengeTarget?: string
  stage?: 'preparing' | 'served'
  /** Null when no certificate is wanted. */
  caa: (CaaExpectation & { fallback?: CaaExpectation }) | null
}

interface CaaExpectation {
  issuerDomains: readonly string[]
  accountUri: string | null
  methods: readonly string[]
}

interface ServerAddress {
  address: string
  port: number
}

/** One question of a check and what came back. */
export interface DnsQuery {
  id: string
  /** Why it was asked. */
  purpose: string
  server: ServerAddress & { name: string | null }
  name: string
  type: string
  recursion: boolean
  checkingDisabled: boolean
  transport: 'udp' | 'tcp'
  at: number
  durationMs: number
  /** Packets that came but did not answer the question. */
  ignored: string[]
  error: { kind: string; message: string } | null
  rcode: string | null
  flags: {
    authoritative: boolean
    truncated: boolean
    recursionAvailable: boolean
    authenticData: boolean
  } | null
  edns: boolean
  /** RFC 8914: why the server could not answer. */
  extendedError: { code: number; text: string } | null
  answers: DnsRecord[]
  authority: DnsRecord[]
  additional: DnsRecord[]
  bytes: number
}

interface DnsRecord {
  name: string
  ttl: number
  type: string
  /** Text, or the fields of a CAA, SOA or MX record. */
  data: unknown
}
