import { isInZone } from '../../../platform/dns/name.ts'
import type { CaaAddition } from './caa.ts'
import type { ProblemCode } from './problems.ts'
import type { ServerView } from './server-view.ts'

/** One record as people type it into a form. */
interface RecordLine {
  type: string
  /** Relative to the zone, `@` for the zone itself. */
  name: string
  value: string
}

/** What mends a problem, as fields: there is this, and there should be that. */
export interface RecordChange {
  zone: string
  /** Records that are there and must go. */
  remove: RecordLine[]
  /** Records that must be there. */
  add: RecordLine[]
}

interface ChangeInput {
  /** The sentences' words: zone, label, target and the proof. */
  words: Record<string, string>
  /** The answers that have the problem. */
  views: readonly Pick<ServerView, 'cnames' | 'proofs' | 'challenges'>[]
  /** What is wrong in them. */
  found: readonly string[]
}

/** Which records mend a problem; null for what is somebody else's to mend, or passes by itself. */
export function changeFor(code: ProblemCode, { words, views, found }: ChangeInput): RecordChange | null {
  const { zone = '', label = '', target = '', type, doubled = '' } = words
  const wanted = { type: type === 'CNAME' ? type : 'ALIAS', name: label, value: target }
  const proof = { type: 'TXT', name: words.proofLabel ?? '', value: words.proofValue ?? '' }
  const cnames = views.flatMap((view) => view.cnames.map(({ data }) => ({ type: 'CNAME', name: label, value: data })))
  const change = (remove: RecordLine[], add: RecordLine[]) => ({ zone, remove: distinct(remove), add })
  switch (code) {
    case 'record_missing':
    case 'wildcard_in_the_way':
      return change([], [wanted])
    case 'doubled_label':
      return change([{ ...wanted, name: relativeTo(zone, doubled) }], [wanted])
    case 'cname_value_doubled':
    case 'cname_value_differs':
    case 'cname_indirect':
    case 'cname_loop':
    case 'cname_chain_too_long':
    case 'multiple_cnames':
      return change(
        cnames.filter(({ value }) => value !== target),
        [wanted],
      )
    case 'apex_cname':
      return change(cnames, [wanted])
    case 'conflicting_address':
    case 'address_instead_of_cname':
    case 'apex_address_differs':
      return change(recordsAt(label, found), [wanted])
    case 'conflicting_record':
      return change(recordsAt(label, found), [wanted])
    case 'stray_ipv6_address':
      return change(recordsAt(label, found), [])
    case 'proof_missing':
      return change([], [proof])
    case 'proof_differs': {
      const present = views.flatMap(({ proofs }) => proofs.map(({ data }) => ({ ...proof, value: data })))
      return change(present, [proof])
    }
    case 'challenge_missing':
    case 'challenge_differs': {
      const at = { type: 'CNAME', name: words.challengeLabel ?? '' }
      const present = views.flatMap(({ challenges }) => challenges.map(({ data }) => ({ ...at, value: data })))
      return change(present, [{ ...at, value: words.challengeTarget ?? '' }])
    }
    default:
      return null
  }
}

/** The records that allow the authorities; null where they would belong into a zone that is not the owner's to edit. */
export function caaChange(zone: string, additions: readonly (CaaAddition | null)[]): RecordChange | null {
  const own = additions.filter((each) => each !== null && isInZone(each.name, zone)) as CaaAddition[]
  if (own.length === 0) return null
  const lineOf = ({ name, tag, value }: CaaAddition) => ({
    type: 'CAA',
    name: relativeTo(zone, name),
    value: `0 ${tag} "${value}"`,
  })
  return { zone, remove: [], add: own.map(lineOf) }
}

export function relativeTo(zone: string, name: string): string {
  if (name === zone) return '@'
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name
}

/** Out of `A 192.0.2.1` or `TXT “v=spf1 -all”`; of some types only that they are there is known. */
const recordsAt = (name: string, found: readonly string[]): RecordLine[] =>
  found.map((text) => {
    const [type = '', ...value] = text.split(' ')
    return { type, name, value: value.join(' ').replace(/^“(.*)”$/s, '$1') }
  })

const distinct = (lines: RecordLine[]) => [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()]
