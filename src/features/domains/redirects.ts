export const REDIRECT_STATUSES = [301, 302, 307, 308] as const

export type RedirectStatus = (typeof REDIRECT_STATUSES)[number]

export interface Redirect {
  from: string
  to: string
  status: RedirectStatus
}

/**
 * A project's domains in the contract's shape: one serves the site, every other one redirects to an attached domain.
 * Whatever the functions here return is free of cycles, so every chain of redirects ends at the primary.
 */
export interface ProjectDomains {
  primary: string | null
  redirects: Redirect[]
}

export type RedirectOutcome =
  | { ok: true; domains: ProjectDomains }
  | { ok: false; reason: RedirectRefusal; message: string }

export type RedirectRefusal =
  | 'not_attached'
  | 'already_attached'
  | 'target_not_attached'
  | 'is_primary'
  | 'cycle'
  | 'bad_status'

/** The first domain serves the site; later ones redirect to it until changed. */
export function attach(domains: ProjectDomains, hostname: string): RedirectOutcome {
  if (isAttached(domains, hostname)) return refuse('already_attached', `${hostname} is attached already.`)
  if (domains.primary === null) return accept({ primary: hostname, redirects: domains.redirects })
  return accept({ ...domains, redirects: [...domains.redirects, permanently(hostname, domains.primary)] })
}

export function setRedirect(domains: ProjectDomains, { from, to, status }: RedirectInput): RedirectOutcome {
  if (!isAttached(domains, from)) return notAttached(from)
  if (!isAttached(domains, to)) {
    return refuse('target_not_attached', `${to} is not attached to this project. Add it first, or take another one.`)
  }
  if (!isRedirectStatus(status)) {
    return refuse('bad_status', `A redirect has one of the statuses ${REDIRECT_STATUSES.join(', ')}.`)
  }
  if (from === domains.primary) {
    return refuse('is_primary', `${from} is the primary domain and serves the site. Make another domain primary first.`)
  }
  const cycle = pathFrom(domains, to).includes(from) ? [from, ...pathFrom(domains, to, from)] : undefined
  if (cycle !== undefined) return refuse('cycle', `This would send visitors in a circle: ${cycle.join(' → ')}.`)
  const others = domains.redirects.map((redirect) => (redirect.from === from ? { from, to, status } : redirect))
  return accept({ ...domains, redirects: others })
}

/** The two swap: the old primary redirects to the new one, and what led to the old one goes straight to the new. */
export function makePrimary(domains: ProjectDomains, hostname: string): RedirectOutcome {
  if (!isAttached(domains, hostname)) return notAttached(hostname)
  const old = domains.primary
  if (hostname === old || old === null) return accept({ ...domains, primary: hostname })
  const redirects = domains.redirects.map((redirect) => {
    if (redirect.from === hostname) return permanently(old, hostname)
    return redirect.to === old ? { from: redirect.from, to: hostname, status: redirect.status } : redirect
  })
  return accept({ primary: hostname, redirects })
}

/** What led to a removed domain leads to the primary; when the primary goes, its first redirect takes its place. */
export function detach(domains: ProjectDomains, hostname: string): RedirectOutcome {
  if (!isAttached(domains, hostname)) return notAttached(hostname)
  const heir = domains.redirects.find(({ to }) => to === hostname)?.from
  if (hostname === domains.primary && heir !== undefined) {
    const swapped = makePrimary(domains, heir)
    return swapped.ok ? detach(swapped.domains, hostname) : swapped
  }
  if (hostname === domains.primary) return accept({ primary: null, redirects: [] })
  const left = domains.redirects.filter(({ from }) => from !== hostname)
  const redirects = left.map(({ from, to, status }) => ({ from, to: to === hostname ? domains.primary! : to, status }))
  return accept({ ...domains, redirects })
}

/** Where a visitor of the hostname goes next; undefined when the site itself answers or it is not attached. */
export function redirectFor({ redirects }: ProjectDomains, hostname: string): Redirect | undefined {
  return redirects.find(({ from }) => from === hostname)
}

export function isAttached({ primary, redirects }: ProjectDomains, hostname: string): boolean {
  return primary === hostname || redirects.some(({ from }) => from === hostname)
}

function isRedirectStatus(status: number): status is RedirectStatus {
  return (REDIRECT_STATUSES as readonly number[]).includes(status)
}

interface RedirectInput {
  from: string
  to: string
  status: number
}

/** The hostname and every stop after it, up to the primary or to `end`. */
function pathFrom(domains: ProjectDomains, hostname: string, end?: string): string[] {
  const next = hostname === end ? undefined : redirectFor(domains, hostname)
  return next === undefined ? [hostname] : [hostname, ...pathFrom(domains, next.to, end)]
}

const permanently = (from: string, to: string): Redirect => ({ from, to, status: 301 })

const accept = (domains: ProjectDomains): RedirectOutcome => ({ ok: true, domains })

const notAttached = (hostname: string) =>
  refuse('not_attached', `${hostname} is not attached to this project. Add it first.`)

const refuse = (reason: RedirectRefusal, message: string): RedirectOutcome => ({ ok: false, reason, message })
