/** To the minute, in the time zone that every log uses, and with its name: an ISO time without one is a local time. */
export function moment(iso: string | null, otherwise = 'not yet'): string {
  return iso === null ? otherwise : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}
