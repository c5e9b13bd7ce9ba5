const NAME = 'petstore-last-project'

/** Where somebody was last, for the next visit. Storage can be switched off, and then the first project is as good. */
export function rememberProject(slug: string): void {
  try {
    sessionStorage.setItem(NAME, slug)
    localStorage.setItem(NAME, slug)
  } catch {
    // Nothing depends on it.
  }
}

export function lastProject(): string | null {
  try {
    return sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME)
  } catch {
    return null
  }
}
