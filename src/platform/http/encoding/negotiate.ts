export type ContentEncoding = 'br' | 'gzip'
export type Encoding = 'identity' | ContentEncoding

/** Which encodings a client takes, the one it likes best first; always ends in what it did not forbid, or identity. */
export function acceptedEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined) return IDENTITY_ONLY
  const known = answers.get(header)
  if (known !== undefined) return known
  const encodings = readHeader(header)
  // Browsers send a handful of values; only those of a stranger's length are read again and again.
  if (header.length <= REMEMBERED_CHARACTERS_MAX) {
    if (answers.size >= REMEMBERED_MAX) answers.clear()
    answers.set(header, encodings)
  }
  return encodings
}

function readHeader(header: string): readonly Encoding[] {
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const q = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, q === undefined ? 1 : Number.parseFloat(q.slice(2)) || 0)
  }
  const others = weights.get('*')
  const weightOf = (encoding: Encoding) =>
    weights.get(encoding) ?? others ?? (encoding === 'identity' ? UNNAMED_IDENTITY_WEIGHT : 0)

  const accepted = BY_SIZE.filter((encoding) => weightOf(encoding) > 0)
  accepted.sort((a, b) => weightOf(b) - weightOf(a))
  return accepted.includes('identity') ? accepted : [...accepted, 'identity']
}

const BY_SIZE: readonly Encoding[] = ['br', 'gzip', 'identity']
const IDENTITY_ONLY: readonly Encoding[] = ['identity']
/** Identity is acceptable unless forbidden, but less welcome than anything that was asked for. */
const UNNAMED_IDENTITY_WEIGHT = 0.0001
const REMEMBERED_CHARACTERS_MAX = 200
const REMEMBERED_MAX = 500
const answers = new Map<string, readonly Encoding[]>()
