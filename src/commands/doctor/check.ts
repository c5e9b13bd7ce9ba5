export interface Check {
  name: string
  state: 'ok' | 'warn' | 'fail'
  /** What was found and, unless all is well, what to do about it. */
  message: string
}

export const ok = (name: string, message: string): Check => ({ name, state: 'ok', message })
export const warn = (name: string, message: string): Check => ({ name, state: 'warn', message })
export const fail = (name: string, message: string): Check => ({ name, state: 'fail', message })
