/** `CN=R11, O=Let's Encrypt` as people say it. */
export function issuerText(name: string): string {
  const part = (key: string) => new RegExp(`(?:^|, ?)${key}=([^,]+)`).exec(name)?.[1]
  const [common, organisation] = [part('CN'), part('O')]
  if (common === undefined) return name
  return organisation === undefined || common.includes(organisation) ? common : `${common} (${organisation})`
}
