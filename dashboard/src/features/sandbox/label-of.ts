/** The name of a record as its zone shows it. */
export function labelOf(name: string, apex: string): string {
  return name === apex ? '@' : name.endsWith(`.${apex}`) ? name.slice(0, -apex.length - 1) : name
}
