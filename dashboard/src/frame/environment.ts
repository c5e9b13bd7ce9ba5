import { useCallback } from 'react'
import { type AroundNavHandler, useLocation, useSearch } from 'wouter'
import type { Environment } from '../api/projects.ts'

const IN_PATH = /^\/projects\/[^/]+\/(production|staging)(?=\/|$)/
const PARAMETER = 'environment'
/** Pages inside; others, as the one for signing in, know no environment. */
const INSIDE = /^\/(?:$|(?:projects|account|sandbox|operator)(?:\/|$))/

/** From the address: the path of what belongs to an environment, else a parameter. Without either it is production. */
export function useEnvironment(): Environment {
  const [path] = useLocation()
  return environmentOf(path, useSearch())
}

function environmentOf(path: string, search: string): Environment {
  const named = IN_PATH.exec(path)?.[1] ?? new URLSearchParams(search).get(PARAMETER)
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

const carryAlong: AroundNavHandler = (navigate, to, options) =>
  navigate(carrying(environmentOf(location.pathname, location.search), to), options)

function carrying(current: Environment, to: string): string {
  const { pathname, searchParams, hash } = new URL(to, location.origin)
  if (!INSIDE.test(pathname)) return to
  const wanted = searchParams.get(PARAMETER) ?? current
  searchParams.delete(PARAMETER)
  if (wanted === 'staging' && !IN_PATH.test(pathname)) searchParams.set(PARAMETER, wanted)
  return pathname + (searchParams.size === 0 ? '' : `?${searchParams}`) + hash
}
