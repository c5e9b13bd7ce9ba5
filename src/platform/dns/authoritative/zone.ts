import { type MaybePromise, whenThere } from '../../maybe-promise.ts'
import {
  anyRecord,
  caaRecord,
  nsRecord,
  RCODE,
  soaRecord,
  textRecord,
  TYPE,
  wireName,
  type WireRecord,
} from './wire.ts'

/** A zone of an apex and one level of labels, each with texts or without. */
export interface LabelZone {
  apex: string
  /** As the zone above lists them; none stands in the zone itself, which has no addresses. */
  nameservers: readonly [string, ...string[]]
  /** Whether a label exists; asked for every stranger's question, so it costs next to nothing. */
  has(label: string): boolean
  /** What a label that exists says at this moment. */
  textsAt(label: string): MaybePromise<readonly string[]>
}

export interface ZoneAnswer {
  rcode: number
  isAuthoritative: boolean
  /** Of the name that was asked for. */
  answers: readonly WireRecord[]
  /** The zone's own record, which a "no" is cached by. */
  authority: WireRecord | undefined
}

/** What the zone says about a name and a type: RFC 1034, section 4.3.2, for a zone this small. */
export function zoneAnswers(zone: LabelZone) {
  const { apex, nameservers } = zone
  const soa = { mname: nameservers[0], rname: `hostmaster.${apex}`, serial: SERIAL, minimum: FRESH_SECONDS }
  const negativeSoa = soaRecord(soa, FRESH_SECONDS)
  const ofApex = new Map<number, readonly WireRecord[]>([
    [TYPE.SOA, [soaRecord(soa, APEX_SECONDS)]],
    [TYPE.NS, nameservers.map((name) => nsRecord(name, APEX_SECONDS))],
    // Nobody has any business with certificates for the names of this zone itself.
    [TYPE.CAA, [caaRecord('issue', ';', APEX_SECONDS)]],
    [TYPE.ANY, [anyRecord(APEX_SECONDS)]],
  ])
  const suffix = `.${apex}`
  const refused: ZoneAnswer = { rcode: RCODE.refused, isAuthoritative: false, answers: [], authority: undefined }
  const negative = (rcode: number): ZoneAnswer => ({ ...refused, rcode, isAuthoritative: true, authority: negativeSoa })
  const [noData, noName] = [negative(RCODE.none), negative(RCODE.nameError)]
  const positive = (answers: readonly WireRecord[]): ZoneAnswer =>
    answers.length === 0 ? noData : { rcode: RCODE.none, isAuthoritative: true, answers, authority: undefined }
  const ofAnyLabel = positive([anyRecord(APEX_SECONDS)])

  return {
    /** How much of the question the apex takes. */
    apexBytes: wireName(apex).length,
    answer(name: string, type: number): MaybePromise<ZoneAnswer> {
      if (type !== TYPE.ANY && type >= META_MIN && type <= TYPE.ANY) return refused
      if (name === apex) return positive(ofApex.get(type) ?? [])
      if (!name.endsWith(suffix)) return refused
      const label = name.slice(0, -suffix.length)
      if (!zone.has(label)) return noName
      if (type === TYPE.ANY) return ofAnyLabel
      if (type !== TYPE.TXT) return noData
      return whenThere(zone.textsAt(label), ofTexts)
    },
  }

  function ofTexts(texts: readonly string[]): ZoneAnswer {
    return positive(texts.slice(0, TEXTS_MAX).map((text) => textRecord(text, FRESH_SECONDS)))
  }
}

/** Nobody transfers the zone, so nobody compares it. */
const SERIAL = 1
const APEX_SECONDS = 3600
/** An authority that has asked too early must not remember the "no" for longer. */
const FRESH_SECONDS = 1
/** A name and its wildcard are proved at one label, each by one authority or two, and perhaps a second time. */
const TEXTS_MAX = 8
/** Signatures, keys and transfers: questions about the traffic itself. */
const META_MIN = 249
