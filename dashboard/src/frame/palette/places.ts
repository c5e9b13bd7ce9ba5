import type { Environment } from '../../api/projects.ts'

export interface Place {
  label: string
  href: string
  /** Pressed after `g`. */
  key?: string
  /** Other words that people look for it by. */
  words?: string
}

export interface Visible {
  slug: string | undefined
  environment: Environment
  mayEdit: boolean
  sandbox: boolean
  operator: boolean
}

/** Every page that there is to go to. */
export function placesOf({ slug, environment, sandbox, operator }: Visible): Place[] {
  const places: Place[] = []
  if (slug !== undefined) {
    const base = `/projects/${slug}`
    const store = `${base}/${environment}`
    places.push(
      { label: 'Overview', href: base, key: 'h', words: 'home' },
      { label: 'Animals', href: `${store}/animals`, key: 'a', words: 'pets' },
      { label: 'Orders', href: `${store}/orders`, key: 'o' },
      { label: 'API keys', href: `${store}/keys`, key: 'k' },
      { label: 'Requests', href: `${store}/requests`, key: 'r', words: 'latency errors failed traffic charts' },
      { label: 'Deploys', href: `${base}/deploys`, key: 'd', words: 'publish site upload' },
      { label: 'Domains', href: `${base}/settings/domains`, key: 'w', words: 'dns certificate hostname' },
      { label: 'Settings', href: `${base}/settings`, key: 's', words: 'project general name address' },
      { label: 'Members', href: `${base}/settings/members`, words: 'people invite roles' },
      { label: 'Tokens', href: `${base}/settings/tokens`, words: 'ci programs' },
      { label: 'Plan and shares', href: `${base}/settings/plan`, words: 'limits pro free' },
      { label: 'Audit log', href: `${base}/settings/audit`, words: 'history who' },
    )
  }
  places.push(
    { label: 'Projects', href: '/projects', key: 'p' },
    { label: 'Account', href: '/account', words: 'name address password profile' },
    { label: 'Security', href: '/account/security', words: 'passkeys codes two-factor' },
    { label: 'Sessions', href: '/account/sessions' },
    { label: 'Activity', href: '/account/activity' },
  )
  if (sandbox) places.push({ label: 'Sandbox registrar', href: '/sandbox', words: 'dns records' })
  if (operator) {
    places.push(
      { label: 'Operator', href: '/operator', words: 'accounts plans suspend' },
      { label: 'Health', href: '/operator/health', words: 'operator instances queue work' },
      { label: 'Names and certificates', href: '/operator/names', words: 'operator platform domain connect' },
    )
  }
  return places
}

/** What opens a dialog on some page. */
export function doingsOf({ slug, environment, mayEdit }: Visible): Place[] {
  const doings: Place[] = [{ label: 'New project', href: '/projects?new' }]
  if (slug === undefined || !mayEdit) return doings
  const store = `/projects/${slug}/${environment}`
  return [
    { label: `Add an animal to ${environment}`, href: `${store}/animals?do=add`, words: 'new pet create' },
    { label: `Import animals into ${environment}`, href: `${store}/animals?do=import`, words: 'csv ndjson file' },
    { label: `Place an order in ${environment}`, href: `${store}/orders?do=place`, words: 'new create' },
    { label: `Create a key for ${environment}`, href: `${store}/keys?do=create`, words: 'new api' },
    { label: 'Add a domain', href: `/projects/${slug}/settings/domains?do=add`, words: 'new hostname' },
    ...doings,
  ]
}

/** Those that have every word, with those first whose label begins so. */
export function matching<Item extends Pick<Place, 'label' | 'words'>>(items: readonly Item[], text: string): Item[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = items.filter(({ label, words: more = '' }) => {
    const all = `${label} ${more}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const first = words[0] ?? ''
  return found.toSorted((a, b) => Number(begins(b, first)) - Number(begins(a, first)))
}

const begins = ({ label }: { label: string }, word: string) => label.toLowerCase().startsWith(word)
