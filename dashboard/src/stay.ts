let stay = new AbortController()

/** Of whoever is signed in here: what they have begun in the background ends with their stay. */
export const staySignal = (): AbortSignal => stay.signal

export function endStay(): void {
  stay.abort()
  stay = new AbortController()
}
