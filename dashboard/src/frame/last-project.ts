import type { Environment } from '../api/projects.ts'

const PROJECT = 'petstore-last-project'
const ENVIRONMENT = 'petstore-last-environment'

/** Where somebody was last, for the next visit. Storage can be switched off, and then the first project is as good. */
export const rememberProject = (slug: string) => keep(PROJECT, slug)
export const lastProject = () => read(PROJECT)

export const rememberEnvironment = (environment: Environment) => keep(ENVIRONMENT, environment)
export const lastEnvironment = (): Environment => (read(ENVIRONMENT) === 'staging' ? 'staging' : 'production')

function keep(name: string, value: string): void {
  try {
    sessionStorage.setItem(name, value)
    if (name === PROJECT) localStorage.setItem(name, value)
  } catch {
    // Nothing depends on it.
  }
}

function read(name: string): string | null {
  try {
    return sessionStorage.getItem(name) ?? localStorage.getItem(name)
  } catch {
    return null
  }
}
