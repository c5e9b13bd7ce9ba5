/** `dep_` and 96 bits in base64url, and the same bits as a DNS label: whoever is not shown the name cannot guess it. */
const DEPLOY_ID = /^dep_([\w-]{16})$/
const PREVIEW_LABEL = /^preview-([0-9a-f]{24})$/
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Where a deploy can be looked at, live or not: `<label>.<platform host>`. */
export function previewLabel(deployId: string): string | undefined {
  const digits = DEPLOY_ID.exec(deployId)?.[1]
  if (digits === undefined) return undefined
  const bits = Array.from(digits, (digit) => ALPHABET.indexOf(digit).toString(2).padStart(6, '0')).join('')
  return `preview-${regroup(bits, 4, (value) => value.toString(16))}`
}

export function deployIdOf(label: string): string | undefined {
  const digits = PREVIEW_LABEL.exec(label)?.[1]
  if (digits === undefined) return undefined
  const bits = Array.from(digits, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
  return `dep_${regroup(bits, 6, (value) => ALPHABET[value] as string)}`
}

function regroup(bits: string, size: number, write: (value: number) => string): string {
  let text = ''
  for (let at = 0; at < bits.length; at += size) text += write(Number.parseInt(bits.slice(at, at + size), 2))
  return text
}
