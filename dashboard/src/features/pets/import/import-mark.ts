const NAME = 'petstore-import'

/** Says without opening a database that an import is kept, and whose it is. */
export function importMark(): string | null {
  try {
    return localStorage.getItem(NAME)
  } catch {
    return null
  }
}

export function markImport(account: string | null): void {
  if (account === null) localStorage.removeItem(NAME)
  else localStorage.setItem(NAME, account)
}
