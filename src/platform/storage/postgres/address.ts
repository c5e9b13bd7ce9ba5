/** How an address is written, behind "must be"; what it was is not said, because it holds a password. */
export const ADDRESS_FORM =
  'an address such as postgres://user:password@host:5432/name. ' +
  'In a password / # ? % @ are written %2F %23 %3F %25 %40.'

/** `postgres://user:secret@one:5432,two:5432/name?sslmode=require` → one for each host; undefined for no address. */
export function addressesOf(text: string): [URL, ...URL[]] | undefined {
  const match = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(text)
  if (!match) return undefined
  const [, before = '', hosts = '', after = ''] = match
  const each = hosts.split(',').map((host) => `${before}${host || 'localhost'}${after}`)
  if (!each.every((one) => URL.canParse(one))) return undefined
  const addresses = each.map((one) => new URL(one)) as [URL, ...URL[]]
  return isWhole(addresses[0]) ? addresses : undefined
}

/** A password that is not encoded may end the host or the path before its time, and leave its rest behind them. */
function isWhole({ href, pathname, hash, searchParams }: URL): boolean {
  const isName = !pathname.includes('/', 1) && !pathname.includes('@')
  return isName && hash === '' && [...searchParams.keys()].every((name) => /^\w+$/.test(name)) && isDecodable(href)
}

/** The driver takes a bare % as it stands, and ends with what looks encoded and is not. */
function isDecodable(text: string): boolean {
  if (/%(?![0-9a-f]{2})/i.test(text)) return true
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}
