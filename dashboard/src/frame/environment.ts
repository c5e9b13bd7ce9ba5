import { useCallback } from 'react'
import { type AroundNavHandler, useLocation } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import type { Environment } from '../api/projects.ts'

const IN_PATH = /^\/projects\/[^/]+\/(production|staging)(?=\/|$)/
const PARAMETER = 'environment'
/** Pages inside; others, as the one for signing in, know no environment. */
const INSIDE = /^\/(?:$|(?:projects|account|sandbox|operator)(?:\/|$))/

/** All around every page asks for it: they are drawn again when it changes, and not whenever the address does. */
export const useEnvironment = () => useLocationProperty(environmentNow)

/** From the address: the path of what belongs to an environment, else a parameter. Without either it is production. */
function environmentNow(): Environment {
  const named = IN_PATH.exec(location.pathname)?.[1] ?? new URLSearchParams(location.search).get(PARAMETER)
  return named === 'staging' ? 'staging' : 'production'
}

/** The same page in the other environment; the place in a list is of the one that is left. */
export function useEnvironmentSwitch(): (chosen: Environment) => void {
  const [path, go] = useLocation()
  return (chosen) => {
    const found = IN_PATH.exec(path)
    if (found) go(path.replace(`/${found[1]}`, `/${chosen}`))
    else go(`${path}?${PARAMETER}=${chosen}`)
  }
}

/** For the router: every link and every step inside takes the environment along. */
export function useCarriedEnvironment() {
  const environment = useEnvironment()
  return {
    hrefs: useCallback((to: string) => carrying(environment, to), [environment]),
    aroundNav: carryAlong,
  }
}

const carryAlong: AroundNavHandler = (navigate, to, options) => navigate(carrying(environmentNow(), to), options)

function carrying(current: Environment, to: string): string {
  const { pathname, searchParams, hash } = new URL(to, location.origin)
  if (!INSIDE.test(pathname)) return to
  const wanted = searchParams.get(PARAMETER) ?? current
  searchParams.delete(PARAMETER)
  if (wanted === 'staging' && !IN_PATH.test(pathname)) searchParams.set(PARAMETER, wanted)
  return pathname + (searchParams.size === 0 ? '' : `?${searchParams}`) + hash
}
