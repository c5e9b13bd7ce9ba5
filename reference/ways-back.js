/**
 * To the documentation and the dashboard, where the reference stands beside them; alone, as the site of a project, it
 * knows neither.
 *
 * @type {() => { href: string, text: string }[]}
 */
export function waysBack() {
  const docs = document.querySelector('meta[name="docs"]')?.getAttribute('content')
  if (!docs) return []
  return [
    { href: docs, text: 'Docs' },
    { href: '/', text: 'Dashboard' },
  ]
}
