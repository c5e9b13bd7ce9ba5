const NAME = 'petstore-single-keys'

/** Shortcuts of one letter can be switched off: speech and tremor press keys that nobody meant. */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(NAME) !== 'off'
  } catch {
    return true
  }
}

export function switchKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(NAME)
    else localStorage.setItem(NAME, 'off')
  } catch {
    // Then they stay as they are.
  }
}
