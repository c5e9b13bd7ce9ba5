import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import test from 'node:test'
import {
  a,
  aaaa,
  alias,
  caa,
  cname,
  ns,
  NS1,
  NS2,
  onlyOn,
  startTestDns,
  startTestResolver,
  type TestDns,
  txt,
  zone,
} from '../../../../test/harness/dns.ts'
import { systemClock } from '../../../platform/clock.ts'
import { isPublicAddress, type ServerAddress } from '../../../platform/dns/address.ts'
import { createDnsClient } from '../../../platform/dns/client.ts'
import type { Zone, ZoneFault, ZoneRecord } from '../../../platform/dns/zone.ts'
import { diagnose, type Diagnosis, type Expectation } from './diagnose.ts'
import { readHostnameInput } from '../hostname-input.ts'
import type { Observation } from '../observation/observation.ts'
import { observe, type ObserveNeeds } from '../observation/observe.ts'
import { PROBLEM_CODES, type ProblemCode } from './problems.ts'
import { challengeName } from '../preparation/challenge-zone.ts'
import { proofName } from '../record.ts'

const TARGET = 'k3x9.platform.test'
const EDGE = '198.51.100.1'
const EDGE6 = '2001:db8::1'
const WWW = 'www.example.test'
const APEX = 'example.test'
const client = createDnsClient({ clock: systemClock, timeoutMs: 20_000 })
// Only where silence is what the test is about: a busy machine must not look like a broken nameserver.
const impatient = createDnsClient({ clock: systemClock, timeoutMs: 400, retryAfterMs: 150 })
const SILENCES = new Set(['drop', 'delay', 'wrong-id', 'garbage'])
const EXPECTED: Expectation = {
  addresses: [EDGE],
  proof: null,
  caa: { issuerDomains: ['ca.example'], accountUri: 'https://ca.example/acct/1', methods: ['http-01', 'tls-alpn-01'] },
}

interface Scenario {
  hostname?: string
  records?: ZoneRecord[]
  extra?: Partial<Zone>
  faults?: ZoneFault[]
  zones?: Zone[]
  expected?: Partial<Expectation>
  observe?: Partial<ObserveNeeds>
  prepare?: (dns: TestDns) => void
  /** Every problem, in order, with a `!` for blocking and a `~` for transient. */
  problems: string[]
  outcome: Diagnosis['outcome']
  says?: RegExp
}

const CHALLENGE = '_acme-challenge.www.example.test'
const PREPARING: Partial<Expectation> = {
  proof: 'petstore=abc',
  proofFor: 'preparation',
  challengeTarget: '1234.acme.test',
  stage: 'preparing',
}

const mx = (name: string, exchange: string): ZoneRecord => ({
  name,
  type: 'MX',
  ttl: 3600,
  data: { preference: 10, exchange },
})

const provoked = new Set<ProblemCode>()

// Loopback stands for the public internet here.
const mayAsk = (address: string) => address === '127.0.0.1' || isPublicAddress(address)

const platform = () => zone('platform.test', [a(TARGET, EDGE), aaaa(TARGET, EDGE6)])

/** Whatever the owner has is right or wrong, and nobody can say which. */
const withoutOur = (type: 'A' | 'AAAA'): Pick<Scenario, 'expected' | 'prepare'> => ({
  expected: { addresses: [], stage: 'served' },
  prepare: (dns) => (dns.zones[0]!.faults = [{ kind: 'servfail', name: TARGET, type }]),
})

async function run(scenario: Partial<Scenario>): Promise<{ diagnosis: Diagnosis; observation: Observation }> {
  const { hostname = WWW, records = [], extra = {}, faults = [], zones = [] } = scenario
  await using dns = await startTestDns([platform(), zone(APEX, records, { faults, ...extra }), ...zones])
  scenario.prepare?.(dns)
  const by = faults.some(({ kind }) => SILENCES.has(kind)) ? impatient : client
  return await check(dns, hostname, { ...scenario, observe: { dns: by, ...scenario.observe } })
}

async function check(dns: TestDns, hostname: string, scenario: Partial<Scenario> = {}) {
  const expectation = { ...EXPECTED, ...scenario.expected }
  const domain = readHostnameInput(hostname, [], { wildcards: true })
  assert.ok(domain.ok)
  const options: ObserveNeeds = {
    dns: client,
    clock: systemClock,
    resolvers: dns.resolvers,
    mayAsk: () => true,
    portFor: dns.portFor,
    budgetMs: 60_000,
    ...scenario.observe,
  }
  const proof = expectation.proof === null ? null : proofName(hostname)
  const challenge = expectation.challengeTarget === undefined ? {} : { challengeName: challengeName(hostname) }
  const subject = { hostname, registrable: domain.registrable, target: TARGET, proofName: proof, ...challenge }
  const observation = await observe(options, subject)
  const diagnosis = diagnose(observation, expectation)
  assertSound(diagnosis, observation, expectation)
  return { diagnosis, observation }
}

/** What holds for every diagnosis: replayable, complete sentences, evidence that exists. */
function assertSound(diagnosis: Diagnosis, observation: Observation, expectation: Expectation): void {
  const [seen, wanted] = JSON.parse(JSON.stringify([observation, expectation])) as [Observation, Expectation]
  assert.deepEqual(diagnose(seen, wanted), diagnosis, 'a saved bundle gives the same diagnosis')
  assert.deepEqual(JSON.parse(JSON.stringify(diagnosis)), diagnosis)
  const ids = new Set(observation.queries.map(({ id }) => id))
  assert.equal(ids.size, observation.queries.length)
  for (const { code, title, detail, fix, evidence } of diagnosis.problems) {
    provoked.add(code)
    assert.doesNotMatch(`${title} ${detail} ${fix}`, /[{}]|undefined|null|  /, code)
    assert.match(detail, /\.$/, code)
    assert.match(fix, /\.$/, code)
    assert.ok(evidence.length > 0 && evidence.every((id) => ids.has(id)), `${code} shows its evidence`)
  }
}

function marked({ problems }: Diagnosis): string[] {
  const marks = { blocking: '!', transient: '~', warning: '' }
  return problems.map(({ code, severity }) => `${code}${marks[severity]}`)
}

const scenarios: Record<string, Scenario> = {
  'a CNAME to the target passes': { records: [cname(WWW, TARGET)], problems: [], outcome: 'passed' },
  'an ALIAS at the apex passes by its flattened addresses': {
    hostname: APEX,
    records: [alias(APEX, TARGET)],
    problems: [],
    outcome: 'passed',
  },
  'address records of ours at the apex pass': {
    hostname: APEX,
    records: [a(APEX, EDGE), aaaa(APEX, EDGE6)],
    problems: [],
    outcome: 'passed',
  },
  'a wildcard CNAME to the target passes': { records: [cname(`*.${APEX}`, TARGET)], problems: [], outcome: 'passed' },
  'a subdomain that is a zone of its own is treated as an apex': {
    zones: [zone(WWW, [alias(WWW, TARGET)])],
    problems: [],
    outcome: 'passed',
  },
  'no record': {
    problems: ['record_missing!'],
    outcome: 'failed',
    says: /in the zone example\.test, create this record: type CNAME, name www, value k3x9\.platform\.test, TTL 3600/,
  },
  'no record at the apex': {
    hostname: APEX,
    records: [txt(APEX, 'v=spf1 -all')],
    problems: ['record_missing!'],
    outcome: 'failed',
    says: /type ALIAS or ANAME, name @, value k3x9/,
  },
  'another value': {
    records: [cname(WWW, 'other.elsewhere')],
    problems: ['cname_value_differs!'],
    outcome: 'failed',
    says: /gave other\.elsewhere instead of k3x9\.platform\.test/,
  },
  'an A record in the way': {
    records: [a(WWW, '203.0.113.9')],
    problems: ['conflicting_address!'],
    outcome: 'failed',
    says: /delete A 203\.0\.113\.9 at www/,
  },
  'our own address in place of the CNAME': {
    records: [a(WWW, EDGE)],
    problems: ['address_instead_of_cname!'],
    outcome: 'failed',
    says: /switch off “flattening”/,
  },
  'an A and an AAAA record beside the right CNAME': {
    records: [cname(WWW, TARGET), a(WWW, '203.0.113.9'), aaaa(WWW, '2001:db8::9')],
    problems: ['conflicting_address!'],
    outcome: 'failed',
    says: /A 203\.0\.113\.9 and AAAA 2001:db8::9/,
  },
  'a wrong CNAME and an A record are two problems at once': {
    records: [cname(WWW, 'other.elsewhere'), a(WWW, '203.0.113.9')],
    problems: ['cname_value_differs!', 'conflicting_address!'],
    outcome: 'failed',
  },
  'two CNAMEs': {
    records: [cname(WWW, TARGET), cname(WWW, 'other.elsewhere')],
    problems: ['multiple_cnames!'],
    outcome: 'failed',
  },
  'the domain twice in the name': {
    records: [cname(`${WWW}.${APEX}`, TARGET)],
    problems: ['doubled_label!'],
    outcome: 'failed',
    says: /from www\.example\.test to www/,
  },
  'the domain twice in the name, and an A record in the way': {
    records: [cname(`${WWW}.${APEX}`, TARGET), a(WWW, '203.0.113.9')],
    problems: ['doubled_label!', 'conflicting_address!'],
    outcome: 'failed',
  },
  'the domain added to the value': {
    records: [cname(WWW, `${TARGET}.${APEX}`)],
    problems: ['cname_value_doubled!'],
    outcome: 'failed',
    says: /to k3x9\.platform\.test\. with a dot at the end/,
  },
  'a wildcard with other addresses': {
    records: [a(`*.${APEX}`, '203.0.113.9')],
    problems: ['wildcard_in_the_way!'],
    outcome: 'failed',
    says: /\*\.example\.test answers in its place with A 203\.0\.113\.9/,
  },
  'a domain that is a wildcard, whose own record leads elsewhere': {
    hostname: `*.${APEX}`,
    records: [a(`*.${APEX}`, '203.0.113.9')],
    problems: ['conflicting_address!'],
    outcome: 'failed',
    says: /delete A 203\.0\.113\.9 at \*\. What must remain/,
  },
  'a domain that is a wildcard, with a TXT record where its CNAME belongs': {
    hostname: `*.${APEX}`,
    records: [txt(`*.${APEX}`, 'v=spf1 -all')],
    problems: ['conflicting_record!'],
    outcome: 'failed',
  },
  'a domain that is a wildcard, while nobody answers for its challenges': {
    hostname: `*.${APEX}`,
    records: [cname(`*.${APEX}`, TARGET)],
    faults: [{ kind: 'servfail', name: `_acme-challenge.${APEX}` }],
    expected: { challengeTarget: '1234.acme.test' },
    problems: ['challenge_unanswered'],
    outcome: 'passed',
  },
  'a wildcard with another CNAME': {
    records: [cname(`*.${APEX}`, 'parking.elsewhere')],
    problems: ['wildcard_in_the_way!'],
    outcome: 'failed',
  },
  'a proxy before the name': {
    records: [a(WWW, '104.16.1.1'), a(WWW, '172.67.1.1')],
    problems: ['proxied!'],
    outcome: 'failed',
    says: /At Cloudflare, switch www to “DNS only”/,
  },
  'a proxy before the apex': {
    hostname: APEX,
    records: [a(APEX, '104.16.1.1'), aaaa(APEX, '2606:4700::1')],
    problems: ['proxied!'],
    outcome: 'failed',
  },
  'a proxy by name': { records: [cname(WWW, `${WWW}.cdn.cloudflare.net`)], problems: ['proxied!'], outcome: 'failed' },
  'CNAMEs in a circle': {
    records: [cname(WWW, `b.${APEX}`), cname(`b.${APEX}`, `c.${APEX}`), cname(`c.${APEX}`, `b.${APEX}`)],
    problems: ['cname_loop!'],
    outcome: 'failed',
    says: /www\.example\.test → b\.example\.test → c\.example\.test → b\.example\.test/,
  },
  'a CNAME to itself': { records: [cname(WWW, WWW)], problems: ['cname_loop!'], outcome: 'failed' },
  'twenty CNAMEs in a row': {
    records: [
      cname(WWW, `c0.${APEX}`),
      ...Array.from({ length: 20 }, (_, i) => cname(`c${i}.${APEX}`, i === 19 ? TARGET : `c${i + 1}.${APEX}`)),
    ],
    problems: ['cname_chain_too_long!'],
    outcome: 'failed',
  },
  'a detour that arrives': {
    records: [cname(WWW, `lb.${APEX}`), cname(`lb.${APEX}`, TARGET)],
    problems: ['cname_indirect!'],
    outcome: 'failed',
    says: /gave lb\.example\.test, which leads on to us/,
  },
  'a CNAME at the apex': {
    hostname: APEX,
    records: [cname(APEX, TARGET)],
    problems: ['apex_cname'],
    outcome: 'passed',
  },
  'another address at the apex': {
    hostname: APEX,
    records: [a(APEX, EDGE), a(APEX, '203.0.113.9')],
    problems: ['apex_address_differs!'],
    outcome: 'failed',
    says: /delete A 203\.0\.113\.9 at @.*address records with 198\.51\.100\.1 and 2001:db8::1/,
  },
  'a forgotten AAAA at the apex': {
    hostname: APEX,
    records: [a(APEX, EDGE), aaaa(APEX, '2001:db8::bad')],
    problems: ['stray_ipv6_address!'],
    outcome: 'failed',
    says: /delete AAAA 2001:db8::bad at @/,
  },
  'our own addresses unknown': {
    hostname: APEX,
    records: [a(APEX, EDGE)],
    expected: { addresses: [] },
    prepare: (dns) => dns.zones.splice(0, 1),
    problems: ['target_unresolved~'],
    outcome: 'inconclusive',
  },
  'our own IPv6 addresses unknown': {
    hostname: APEX,
    records: [a(APEX, EDGE), aaaa(APEX, EDGE6)],
    ...withoutOur('AAAA'),
    problems: ['target_unresolved~'],
    outcome: 'inconclusive',
    says: /^Whether AAAA 2001:db8::1 of example\.test is ours is not known/,
  },
  'our own IPv4 addresses unknown': {
    hostname: APEX,
    records: [a(APEX, EDGE), aaaa(APEX, EDGE6)],
    ...withoutOur('A'),
    problems: ['target_unresolved~'],
    outcome: 'inconclusive',
  },
  'our own IPv6 addresses unknown, and the addresses are of the other type': {
    hostname: APEX,
    records: [a(APEX, '203.0.113.9')],
    ...withoutOur('AAAA'),
    problems: ['apex_address_differs!'],
    outcome: 'failed',
  },
  'our own IPv6 addresses unknown, and only one nameserver has such a record': {
    hostname: APEX,
    records: [a(APEX, EDGE), onlyOn(NS1, aaaa(APEX, EDGE6))],
    ...withoutOur('AAAA'),
    problems: ['target_unresolved~'],
    outcome: 'inconclusive',
  },
  'an unregistered domain': {
    hostname: 'www.unregistered.test',
    problems: ['zone_missing!'],
    outcome: 'failed',
    says: /nameservers of test know no domain unregistered\.test \(NXDOMAIN\)/,
  },
  'a zone that fails everywhere': {
    faults: [{ kind: 'servfail' }],
    problems: ['nameserver_servfail~'],
    outcome: 'inconclusive',
    says: /SERVFAIL/,
  },
  'a name that fails everywhere': {
    records: [cname(WWW, TARGET)],
    faults: [{ kind: 'servfail', name: WWW }],
    problems: ['nameserver_servfail~'],
    outcome: 'inconclusive',
  },
  'NXDOMAIN by fault': {
    records: [cname(WWW, TARGET)],
    faults: [{ kind: 'nxdomain', name: WWW }],
    problems: ['record_missing!'],
    outcome: 'failed',
    says: /\(NXDOMAIN\)/,
  },
  'a zone refused everywhere': {
    faults: [{ kind: 'refused' }],
    problems: ['nameserver_refused~'],
    outcome: 'inconclusive',
  },
  'nameservers that do not know the zone': {
    faults: [{ kind: 'lame', name: WWW }],
    problems: ['nameserver_lame~'],
    outcome: 'inconclusive',
  },
  'dropped questions': {
    faults: [{ kind: 'drop', name: WWW }],
    problems: ['nameserver_timeout~'],
    outcome: 'inconclusive',
    says: /no answer within 400 ms/,
  },
  'a delay beyond patience': {
    faults: [{ kind: 'delay', delayMs: 60_000, name: WWW }],
    problems: ['nameserver_timeout~'],
    outcome: 'inconclusive',
  },
  'a delay within patience changes nothing': {
    records: [cname(WWW, TARGET)],
    faults: [{ kind: 'delay', delayMs: 20 }],
    problems: [],
    outcome: 'passed',
  },
  'truncation without TCP': {
    faults: [{ kind: 'truncate', name: WWW }],
    problems: ['nameserver_truncated~'],
    outcome: 'inconclusive',
  },
  'wrong ids': {
    faults: [{ kind: 'wrong-id', name: WWW }],
    problems: ['nameserver_unusable~'],
    outcome: 'inconclusive',
    says: /wrong id/,
  },
  'garbage instead of DNS': {
    faults: [{ kind: 'garbage', name: WWW }],
    problems: ['nameserver_unusable~'],
    outcome: 'inconclusive',
  },
  'one broken nameserver of two is a warning': {
    records: [cname(WWW, TARGET)],
    faults: [{ kind: 'drop', onlyOn: NS2 }],
    problems: ['nameserver_timeout'],
    outcome: 'passed',
    says: /ns2\.registrar\.test \(127\.0\.0\.1\) did not answer/,
  },
  'one nameserver with a closed port is a warning': {
    records: [cname(WWW, TARGET), ns(APEX, `ns3.${APEX}`), a(`ns3.${APEX}`, '127.0.0.1')],
    problems: ['nameserver_timeout'],
    outcome: 'passed',
    says: /ECONNREFUSED/,
  },
  'a nameserver without address is a warning while others answer': {
    records: [cname(WWW, TARGET), ns(APEX, `ghost.${APEX}`)],
    problems: ['nameserver_unresolvable'],
    outcome: 'passed',
  },
  'broken DNSSEC': {
    records: [cname(WWW, TARGET)],
    faults: [{ kind: 'dnssec', name: WWW }],
    problems: ['dnssec_bogus~'],
    outcome: 'inconclusive',
    says: /remove the DS record/,
  },
  'a missing proof': {
    records: [cname(WWW, TARGET)],
    expected: { proof: 'petstore=abc' },
    problems: ['proof_missing!'],
    outcome: 'failed',
    says: /TXT record with the name _petstore\.www and the value petstore=abc/,
  },
  'a proof with another value': {
    records: [cname(WWW, TARGET), txt(proofName(WWW), 'petstore=xyz')],
    expected: { proof: 'petstore=abc' },
    problems: ['proof_differs!'],
    outcome: 'failed',
    says: /“petstore=xyz”/,
  },
  'a missing proof of an apex that leads here by address': {
    hostname: APEX,
    records: [alias(APEX, TARGET)],
    expected: { proof: 'petstore=abc', proofFor: 'address' },
    problems: ['proof_missing!'],
    outcome: 'failed',
    says: /An address shows nobody which project is meant/,
  },
  'a proof for an address, where a CNAME at the apex has the project’s own target': {
    hostname: APEX,
    records: [cname(APEX, TARGET)],
    expected: { proof: 'petstore=abc', proofFor: 'address' },
    problems: ['apex_cname'],
    outcome: 'passed',
  },
  'a proof for an address, where one nameserver has the target and another an address': {
    hostname: APEX,
    records: [onlyOn(NS1, cname(APEX, TARGET)), onlyOn(NS2, a(APEX, EDGE))],
    expected: { proof: 'petstore=abc', proofFor: 'address' },
    problems: ['nameservers_disagree!', 'apex_cname'],
    outcome: 'failed',
  },
  'a proof for an address, at a subdomain that no address can verify': {
    records: [cname(WWW, TARGET)],
    expected: { proof: 'petstore=abc', proofFor: 'address' },
    problems: [],
    outcome: 'passed',
  },
  'the right proof among other texts': {
    records: [cname(WWW, TARGET), txt(proofName(WWW), 'other'), txt(proofName(WWW), 'petstore=abc')],
    expected: { proof: 'petstore=abc' },
    problems: [],
    outcome: 'passed',
  },
  'a preparation without its records, at a name that is in use elsewhere': {
    records: [a(WWW, '192.0.2.7')],
    expected: PREPARING,
    problems: ['proof_missing!', 'challenge_missing!'],
    outcome: 'failed',
    says: /create a CNAME with the name _acme-challenge\.www and the value 1234\.acme\.test/,
  },
  'a preparation whose challenges lead to another project': {
    records: [a(WWW, '192.0.2.7'), txt(proofName(WWW), 'petstore=abc'), cname(CHALLENGE, '9999.acme.test')],
    expected: PREPARING,
    problems: ['challenge_differs!'],
    outcome: 'failed',
    says: /leads to 9999\.acme\.test instead of 1234\.acme\.test/,
  },
  'a preparation whose nameservers do not answer for its challenges': {
    records: [a(WWW, '192.0.2.7'), txt(proofName(WWW), 'petstore=abc'), cname(CHALLENGE, '1234.acme.test')],
    faults: [{ kind: 'drop', name: CHALLENGE }],
    expected: PREPARING,
    problems: ['challenge_unanswered~'],
    outcome: 'inconclusive',
    says: /not for _acme-challenge\.www\.example\.test: no answer within 400 ms.*Change nothing yet/,
  },
  'a preparation of which one nameserver fails to answer for its challenges': {
    records: [a(WWW, '192.0.2.7'), txt(proofName(WWW), 'petstore=abc'), cname(CHALLENGE, '1234.acme.test')],
    faults: [{ kind: 'servfail', name: CHALLENGE, onlyOn: NS2 }],
    expected: PREPARING,
    problems: ['challenge_unanswered'],
    outcome: 'prepared',
    says: /ns2\.registrar\.test.*: SERVFAIL/,
  },
  'a proxy before a site, while nobody answers for its challenges': {
    records: [a(WWW, '192.0.2.7'), cname(CHALLENGE, '1234.acme.test')],
    faults: [{ kind: 'servfail', name: CHALLENGE }],
    expected: { ...PREPARING, stage: 'served' },
    problems: ['challenge_unanswered~', 'leads_elsewhere'],
    outcome: 'inconclusive',
  },
  'a preparation with both records': {
    records: [a(WWW, '192.0.2.7'), txt(proofName(WWW), 'petstore=abc'), cname(CHALLENGE, '1234.acme.test')],
    expected: PREPARING,
    problems: [],
    outcome: 'prepared',
  },
  'a preparation with both records, where one nameserver lacks one': {
    records: [txt(proofName(WWW), 'petstore=abc'), onlyOn(NS1, cname(CHALLENGE, '1234.acme.test'))],
    expected: PREPARING,
    problems: ['nameservers_disagree!'],
    outcome: 'failed',
  },
  'a preparation at whose present host CAA forbids the authority': {
    records: [
      caa(WWW, 'issue', 'old.example'),
      txt(proofName(WWW), 'petstore=abc'),
      cname(CHALLENGE, '1234.acme.test'),
    ],
    expected: PREPARING,
    problems: ['caa_forbids!'],
    outcome: 'prepared',
  },
  'a preparation after the switch, when its records may go': {
    records: [cname(WWW, TARGET)],
    expected: PREPARING,
    problems: [],
    outcome: 'passed',
  },
  'a proxy before a name that is served, and whose challenges lead here': {
    records: [a(WWW, '192.0.2.7'), cname(CHALLENGE, '1234.acme.test')],
    expected: { challengeTarget: '1234.acme.test', stage: 'served' },
    problems: ['leads_elsewhere'],
    outcome: 'prepared',
    says: /A 192\.0\.2\.7, which is not ours/,
  },
  'CAA at the parent forbids': {
    records: [cname(WWW, TARGET), caa(APEX, 'issue', 'other.example')],
    problems: ['caa_forbids!'],
    outcome: 'passed',
    says: /they allow only other\.example.*type CAA, name @, flags 0, tag issue, value ca\.example, TTL 3600\./,
  },
  'CAA at the top level forbids': {
    records: [cname(WWW, TARGET)],
    zones: [zone('test', [caa('test', 'issue', ';')])],
    problems: ['caa_forbids!'],
    outcome: 'passed',
    says: /at test decide/,
  },
  'CAA behind the CNAME forbids, and is ours to mend': {
    records: [cname(WWW, TARGET), caa(APEX, 'issue', 'ca.example')],
    prepare: (dns) => dns.zones[0]!.records.push(caa(TARGET, 'issue', 'other.example')),
    problems: ['caa_platform!'],
    outcome: 'passed',
    says: /leads to k3x9\.platform\.test, which is ours.*they allow only other\.example.*nothing for you to change/,
  },
  'CAA behind the CNAME will forbid, and is ours to mend, before the record is there': {
    prepare: (dns) => dns.zones[0]!.records.push(caa(TARGET, 'issue', ';')),
    problems: ['record_missing!', 'caa_platform!'],
    outcome: 'failed',
  },
  'CAA behind the CNAME that fails is ours to mend': {
    records: [cname(WWW, TARGET)],
    prepare: (dns) => {
      dns.zones[0] = zone('platform.test', [a(TARGET, EDGE)], { faults: [{ kind: 'servfail', type: 'CAA' }] })
    },
    problems: ['caa_platform~'],
    outcome: 'passed',
    says: /SERVFAIL/,
  },
  'a TXT record where the CNAME should be': {
    records: [txt(WWW, 'v=spf1 -all')],
    problems: ['conflicting_record!'],
    outcome: 'failed',
    says: /gave TXT “v=spf1 -all” for www.*delete TXT “v=spf1 -all” at www, or give it another name/,
  },
  'mail, CAA and address records where the CNAME should be are all named': {
    records: [mx(WWW, 'mail.example.test'), caa(WWW, 'issue', 'ca.example'), a(WWW, '203.0.113.9')],
    problems: ['conflicting_address!', 'conflicting_record!'],
    outcome: 'failed',
    says: /MX 10 mail\.example\.test and CAA 0 issue "ca\.example"/,
  },
  'a TXT record of a wildcard is in nobody’s way': {
    records: [txt(`*.${APEX}`, 'v=spf1 -all')],
    problems: ['record_missing!'],
    outcome: 'failed',
  },
  'CAA of the platform itself does not reach a hostname through its CNAME': {
    records: [cname(WWW, TARGET), caa(APEX, 'issue', 'ca.example')],
    prepare: (dns) => dns.zones[0]!.records.push(caa('platform.test', 'issue', 'other.example')),
    problems: [],
    outcome: 'passed',
  },
  'CAA with an unknown critical tag': {
    records: [cname(WWW, TARGET), caa(APEX, 'future', 'x', 128)],
    problems: ['caa_critical_unknown!'],
    outcome: 'passed',
  },
  'CAA for another account': {
    records: [cname(WWW, TARGET), caa(APEX, 'issue', 'ca.example; accounturi=https://ca.example/acct/2')],
    problems: ['caa_forbids!'],
    outcome: 'passed',
    says: /another account/,
  },
  'CAA that fails': {
    records: [cname(WWW, TARGET)],
    faults: [{ kind: 'servfail', type: 'CAA' }],
    problems: ['caa_lookup_failed~'],
    outcome: 'passed',
    says: /SERVFAIL/,
  },
  'CAA that fails at one nameserver of two does not matter': {
    records: [cname(WWW, TARGET)],
    faults: [{ kind: 'servfail', type: 'CAA', onlyOn: NS2 }],
    problems: [],
    outcome: 'passed',
  },
  'everything at once, in order': {
    records: [a(WWW, '203.0.113.9'), caa(APEX, 'issue', ';'), txt(proofName(WWW), 'old')],
    faults: [{ kind: 'refused', onlyOn: NS2 }],
    expected: { proof: 'petstore=abc' },
    problems: ['conflicting_address!', 'proof_differs!', 'caa_forbids!', 'nameserver_refused'],
    outcome: 'failed',
  },
}

for (const [name, scenario] of Object.entries(scenarios)) {
  test(name, async () => {
    const { diagnosis } = await run(scenario)
    assert.deepEqual(marked(diagnosis), scenario.problems)
    assert.equal(diagnosis.outcome, scenario.outcome)
    const text = diagnosis.problems.map(({ detail, fix }) => `${detail} ${fix}`).join(' ')
    if (scenario.says) assert.match(text, scenario.says)
  })
}

const LEADS: [string, Partial<Scenario>, Diagnosis['lead']][] = [
  ['a CNAME to the target', { records: [cname(WWW, TARGET)] }, 'by target'],
  ['a CNAME to the target at the apex', { hostname: APEX, records: [cname(APEX, TARGET)] }, 'by target'],
  ['an ALIAS', { hostname: APEX, records: [alias(APEX, TARGET)] }, 'by address'],
  [
    'a CNAME at one nameserver, an address at the other',
    { hostname: APEX, records: [onlyOn(NS1, cname(APEX, TARGET)), onlyOn(NS2, a(APEX, EDGE))] },
    'by address',
  ],
  ['nothing', { hostname: APEX }, 'elsewhere'],
  ['another address', { hostname: APEX, records: [a(APEX, '203.0.113.9')] }, 'elsewhere'],
  ['an unregistered domain', { hostname: 'nobody.test' }, 'elsewhere'],
  [
    'our address beside another',
    { hostname: APEX, records: [a(APEX, EDGE), a(APEX, '203.0.113.9')] },
    'partly by address',
  ],
  ['our address at one nameserver', { hostname: APEX, records: [onlyOn(NS1, a(APEX, EDGE))] }, 'partly by address'],
  ['a CNAME of somebody else', { hostname: APEX, records: [cname(APEX, 'other.platform.test')] }, 'unclear'],
  ['our address at a subdomain', { records: [a(WWW, EDGE)] }, 'partly by address'],
  ['what may be our address', { hostname: APEX, records: [a(APEX, EDGE)], ...withoutOur('A') }, 'unclear'],
  ['what may be our address, at a subdomain', { records: [a(WWW, EDGE)], ...withoutOur('A') }, 'unclear'],
  [
    'our address beside what may be another of ours',
    { hostname: APEX, records: [a(APEX, EDGE), aaaa(APEX, EDGE6)], ...withoutOur('AAAA') },
    'partly by address',
  ],
  ['servers that fail', { hostname: APEX, faults: [{ kind: 'servfail' }] }, 'unclear'],
]

test('where a hostname leads is said only as far as it is sure', async () => {
  for (const [name, scenario, lead] of LEADS) assert.equal((await run(scenario)).diagnosis.lead, lead, name)
})

test('a lagging nameserver is transient, with the time by which transfers and caches are through', async () => {
  const soa = { refresh: 1800, retry: 300, minimum: 600 }
  const { diagnosis, observation } = await run({
    records: [onlyOn(NS1, cname(WWW, TARGET)), onlyOn(NS2, cname(WWW, 'old.elsewhere', 900))],
    extra: { serial: 12, serialOn: { [NS2]: 11 }, soa },
  })
  assert.deepEqual(marked(diagnosis), ['nameservers_disagree~'])
  assert.equal(diagnosis.outcome, 'inconclusive')
  const [problem] = diagnosis.problems
  const asked = observation.queries.filter(({ purpose, server }) => purpose === 'hostname' && server.name === NS2)
  const latest = Math.max(...asked.map(({ at }) => at))
  assert.equal(problem!.cachesExpireBy, latest + (1800 + 300 + 900) * 1000)
  assert.match(problem!.detail, /^ns1.* has the right answer; ns2.* gives CNAME old\.elsewhere\.$/)
  assert.match(problem!.fix, /agree by \d{4}-\d\d-\d\d \d\d:\d\d UTC, and caches forget the old answer by/)
  assert.deepEqual(
    diagnosis.nameservers.map(({ serial, isRight }) => [serial, isRight]),
    [
      [12, true],
      [11, false],
    ],
  )
})

test('a missing record at the lagging nameserver counts with its negative TTL', async () => {
  const { diagnosis, observation } = await run({
    records: [onlyOn(NS1, cname(WWW, TARGET))],
    extra: { serial: 12, serialOn: { [NS2]: 11 }, soa: { refresh: 100, retry: 10, minimum: 60 } },
  })
  const asked = observation.queries.filter(({ purpose, server }) => purpose === 'hostname' && server.name === NS2)
  const latest = Math.max(...asked.map(({ at }) => at))
  assert.equal(diagnosis.problems[0]!.cachesExpireBy, latest + (100 + 10 + 60) * 1000)
})

test('different answers under one serial are a fault that blocks', async () => {
  const { diagnosis } = await run({
    records: [onlyOn(NS1, cname(WWW, TARGET)), onlyOn(NS2, a(WWW, '203.0.113.9'))],
  })
  assert.deepEqual(marked(diagnosis), ['nameservers_disagree!'])
  assert.equal(diagnosis.outcome, 'failed')
})

test('two nameservers with two different mistakes show both and the disagreement', async () => {
  const { diagnosis } = await run({
    records: [onlyOn(NS1, cname(WWW, 'other.elsewhere')), onlyOn(NS2, a(WWW, '203.0.113.9'))],
  })
  assert.deepEqual(marked(diagnosis), ['cname_value_differs!', 'conflicting_address!', 'nameservers_disagree!'])
})

test('a proof that only one nameserver has is a disagreement', async () => {
  const { diagnosis } = await run({
    records: [cname(WWW, TARGET), onlyOn(NS1, txt(proofName(WWW), 'petstore=abc'))],
    extra: { serial: 12, serialOn: { [NS2]: 11 } },
    expected: { proof: 'petstore=abc' },
  })
  assert.deepEqual(marked(diagnosis), ['nameservers_disagree~'])
  assert.match(diagnosis.problems[0]!.detail, /gives no TXT proof/)
})

test('nameservers on private addresses block, beside public ones they warn, and are never asked', async () => {
  const hidden = [ns(APEX, `ns.${APEX}`), a(`ns.${APEX}`, '10.0.0.53'), a(`ns.${APEX}`, '169.254.169.254')]
  await using dns = await startTestDns([platform(), { apex: APEX, serial: 1, records: hidden }])
  const { diagnosis, observation } = await check(dns, WWW, { observe: { mayAsk } })
  assert.deepEqual(marked(diagnosis), ['nameserver_private!'])
  assert.deepEqual([...new Set(observation.queries.map(({ server }) => server.address))], ['127.0.0.1'])

  dns.zones[1] = zone(APEX, [cname(WWW, TARGET), ...hidden])
  const mixed = await check(dns, WWW, { observe: { mayAsk } })
  assert.deepEqual(marked(mixed.diagnosis), ['nameserver_private'])
  assert.equal(mixed.diagnosis.outcome, 'passed')
})

test('silent resolvers are our trouble, silent nameservers the zone’s', async () => {
  const dead = [ns('lost.test', 'dead.lost.test'), a('dead.lost.test', '127.0.0.1')]
  await using dns = await startTestDns([platform(), { apex: 'lost.test', serial: 1, records: dead }])
  const resolvers = [{ address: '127.0.0.1', port: dns.portFor('nobody') }]
  const nobody = await check(dns, WWW, { observe: { resolvers } })
  assert.deepEqual(marked(nobody.diagnosis), ['lookup_failed~'])
  const lost = await check(dns, 'www.lost.test')
  assert.deepEqual(marked(lost.diagnosis), ['nameserver_timeout~'])
})

test('when the time runs out on the way, that is said, within the budget', async () => {
  // Far beyond the budget: on a busy machine that is longer, by what this process stood still.
  const slowly: ZoneFault[] = [{ kind: 'delay', delayMs: 60_000 }]
  await using dns = await startTestDns([platform(), zone(APEX), zone('test', [], { faults: slowly })])
  const slow = createDnsClient({ clock: systemClock, timeoutMs: 1000, retryAfterMs: 500 })
  const { diagnosis, observation } = await check(dns, WWW, { observe: { budgetMs: 60, dns: slow } })
  assert.deepEqual(marked(diagnosis), ['lookup_incomplete~'])
  assert.equal(observation.complete, false)
})

test('an internet that never answers ends with the budget', async () => {
  const mute = createSocket('udp4').bind(0, '127.0.0.1')
  await once(mute, 'listening')
  await using dns = await startTestDns([])
  const patient = createDnsClient({ clock: systemClock, timeoutMs: 60_000, retryAfterMs: 30_000 })
  const resolvers = [{ address: '127.0.0.1', port: mute.address().port }]
  const { diagnosis } = await check(dns, WWW, { observe: { dns: patient, resolvers, budgetMs: 50 } })
  assert.deepEqual(marked(diagnosis), ['lookup_incomplete~'])
  mute.close()
})

test('a resolver that denies the top level domain is outvoted by one that knows it, and only all deny it', async () => {
  await using dns = await startTestDns([platform(), zone(APEX, [cname(WWW, TARGET)])])
  await using denying = await startTestResolver(dns, (name) => (name === 'test' ? 'NXDOMAIN' : null))
  await using empty = await startTestResolver(dns, (name) => (name === 'test' ? [] : null))
  const asking = async (...resolvers: ServerAddress[]) =>
    marked((await check(dns, WWW, { observe: { dns: impatient, resolvers } })).diagnosis)
  assert.deepEqual(await asking(denying, ...dns.resolvers), [])
  assert.deepEqual(await asking(empty, denying, ...dns.resolvers), [])
  assert.deepEqual(await asking(denying, empty), ['zone_missing!'])
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  await once(silent, 'listening')
  assert.deepEqual(await asking(denying, { address: '127.0.0.1', port: silent.address().port }), ['lookup_failed~'])
  silent.close()
})

test('a resolver that still remembers the old answer is a warning with its time', async () => {
  await using dns = await startTestDns([platform(), zone(APEX, [cname(WWW, TARGET), alias(APEX, TARGET)])])
  const old = { name: WWW, type: 'CNAME', ttl: 1200, data: 'old.elsewhere' } as const
  await using resolver = await startTestResolver(dns, (name) => (name === WWW ? [old] : null))
  const { diagnosis, observation } = await check(dns, WWW, { observe: { resolvers: [resolver] } })
  assert.deepEqual(marked(diagnosis), ['cache_stale'])
  assert.equal(diagnosis.outcome, 'passed')
  const seen = observation.queries.find(({ purpose }) => purpose === 'resolver')!
  assert.equal(diagnosis.problems[0]!.cachesExpireBy, seen.at + 1_200_000)
  assert.match(diagnosis.problems[0]!.detail, /still remembers CNAME old\.elsewhere/)
  const fresh = await check(dns, APEX, { observe: { resolvers: [resolver] } })
  assert.deepEqual(marked(fresh.diagnosis), [])
})

test('the time for caches is in every blocking record problem', async () => {
  const { diagnosis, observation } = await run({ records: [a(WWW, '203.0.113.9', 300)] })
  const asked = observation.queries.filter(({ purpose }) => purpose === 'hostname')
  assert.equal(diagnosis.problems[0]!.cachesExpireBy, Math.max(...asked.map(({ at }) => at)) + 300_000)
})

test('a record set is read whole: foreign addresses are named, a permitting CAA record counts anywhere', async () => {
  const addresses = Array.from({ length: 120 }, (_, index) => `203.0.113.${index + 1}`)
  const foreign = await run({ records: addresses.map((address) => a(WWW, address)) })
  assert.deepEqual(marked(foreign.diagnosis), ['conflicting_address!'])
  for (const address of addresses) assert.ok(foreign.diagnosis.problems[0]!.detail.includes(`A ${address}`), address)

  const others = Array.from({ length: 60 }, (_, index) => caa(APEX, 'issue', `ca-${index}.example`))
  const permitted = await run({ records: [cname(WWW, TARGET), ...others, caa(APEX, 'issue', 'ca.example')] })
  assert.deepEqual(marked(permitted.diagnosis), [])
})

test('a reply too large is told as such and costs a live domain nothing', async () => {
  const addresses = Array.from({ length: 600 }, (_, index) => a(APEX, `203.0.${index >> 8}.${index & 255}`))
  const { diagnosis } = await run({ hostname: APEX, records: addresses })
  assert.equal(diagnosis.outcome, 'inconclusive')
  assert.match(diagnosis.problems[0]!.detail, /a reply of 60\d records, and at most 512 are read/)
})

const MENDED: [string, ZoneRecord[], Partial<Expectation>?][] = [
  [WWW, []],
  [WWW, [cname(WWW, 'other.example')]],
  [WWW, [cname(WWW, TARGET), cname(WWW, 'other.example')]],
  [WWW, [cname(`${WWW}.${APEX}`, TARGET)]],
  [WWW, [a(WWW, '203.0.113.9'), caa(APEX, 'issue', ';'), txt(proofName(WWW), 'old')], { proof: 'petstore=abc' }],
  [WWW, [txt(WWW, 'v=spf1 -all'), a(WWW, '203.0.113.9')]],
  [APEX, [a(APEX, '203.0.113.9'), aaaa(APEX, '2001:db8::9')]],
  [APEX, [a(APEX, EDGE), aaaa(APEX, '2001:db8::9')]],
]

test('whoever makes the changes that a diagnosis names has no problem left', async () => {
  for (const [hostname, records, expected = {}] of MENDED) {
    const { diagnosis } = await run({ hostname, records, expected })
    assert.ok(diagnosis.problems.length > 0)
    let mended = records
    for (const { code, change } of diagnosis.problems) {
      assert.ok(change, code)
      const gone = new Set(change.remove.map(lineText))
      for (const line of gone) assert.ok(records.map(shown).includes(line), `${line} is there`)
      const kept = mended.filter((record) => !gone.has(shown(record)))
      const added = change.add.filter((line) => !kept.map(shown).includes(lineText(line))).map(recordFrom)
      mended = [...kept, ...added]
    }
    assert.deepEqual(marked((await run({ hostname, records: mended, expected })).diagnosis), [])
  }
})

type Line = { type: string; name: string; value: string }

const lineText = ({ type, name, value }: Line) => `${type} ${name} ${value}`

function shown({ type, name, data }: ZoneRecord): string {
  const label = name === APEX ? '@' : name.slice(0, -APEX.length - 1)
  return lineText({ type, name: label, value: String(data) })
}

function recordFrom({ type, name, value }: Line): ZoneRecord {
  const full = name === '@' ? APEX : `${name}.${APEX}`
  const [, flags, tag, text] = /^(\d+) (\w+) "(.*)"$/.exec(value) ?? []
  if (type === 'CAA') return caa(full, tag as string, text as string, Number(flags))
  return type === 'TXT' ? txt(full, value) : type === 'ALIAS' ? alias(full, value) : cname(full, value)
}

test('every problem of the table was provoked over the wire', () => {
  assert.deepEqual(
    PROBLEM_CODES.filter((code) => !provoked.has(code)),
    [],
  )
})
