/**
 * @import { Api } from './document.js'
 * @typedef {ReturnType<typeof openSession>} Session
 */

const CHECKED_WITHIN_MS = 5000

/**
 * The chosen environment and one key or token for each. Kept in the storage of the tab, which forgets them when it
 * closes, or in memory alone where that storage is switched off; never in a cookie, the address or the local storage.
 *
 * @param {Pick<Api, 'servers' | 'access'>} api
 */
export function openSession({ servers, access }) {
  const item = `petstore.reference.${access.noun}s`
  const state = read(item)
  if (servers[state.server] === undefined) state.server = 0
  /** @type {Set<() => void>} */
  const listeners = new Set()
  const changed = () => {
    write(item, state)
    for (const listener of listeners) listener()
  }
  return {
    servers,
    access,
    serverIndex: () => state.server,
    server() {
      const server = servers[state.server]
      if (server === undefined) throw new Error('The document names no address.')
      return server
    },
    /** @param {number} index */
    chooseServer(index) {
      state.server = index
      changed()
    },
    key: () => state.keys[state.server] ?? '',
    /** @param {string} key */
    setKey(key) {
      if (key === '') delete state.keys[state.server]
      else state.keys[state.server] = key
      changed()
    },
    /**
     * Whether the chosen address answers 401 to the key. What cannot be asked is not refused, and of tokens nobody can
     * be asked: every operation that takes one names a project.
     *
     * @param {string} key
     */
    async isRefused(key) {
      if (access.session !== null) return false
      const url = `${servers[state.server]?.url}/pets?limit=1`
      const headers = { Authorization: `Bearer ${key}` }
      const asked = fetch(url, { headers, credentials: 'omit', signal: AbortSignal.timeout(CHECKED_WITHIN_MS) })
      return asked.then(
        ({ status }) => status === 401,
        () => false,
      )
    },
    /**
     * Calls now and after each change.
     *
     * @param {() => void} listener
     */
    follow(listener) {
      listeners.add(listener)
      listener()
    },
  }
}

/**
 * @typedef {{ server: number, keys: Record<number, string> }} State
 * @type {(item: string) => State}
 */
function read(item) {
  const none = { server: 0, keys: {} }
  try {
    return { ...none, ...JSON.parse(sessionStorage.getItem(item) ?? '{}') }
  } catch {
    return none
  }
}

/** @type {(item: string, state: State) => void} */
function write(item, state) {
  try {
    sessionStorage.setItem(item, JSON.stringify(state))
  } catch {
    // Storage can be switched off; the state then lives in memory.
  }
}
