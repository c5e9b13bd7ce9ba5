/**
 * @import { Server } from './document.js'
 * @typedef {ReturnType<typeof openSession>} Session
 */

const ITEM = 'petstore.reference.session'

/**
 * The chosen environment and one key for each. Kept in the storage of the tab, which forgets them when it closes,
 * or in memory alone where that storage is switched off; never in a cookie, the address or the local storage.
 *
 * @param {Server[]} servers
 */
export function openSession(servers) {
  const state = read()
  if (servers[state.server] === undefined) state.server = 0
  /** @type {Set<() => void>} */
  const listeners = new Set()
  const changed = () => {
    write(state)
    for (const listener of listeners) listener()
  }
  return {
    servers,
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
 * A sentence when the key visibly belongs to the other environment, or null.
 *
 * @type {(key: string, serverLabel: string) => string | null}
 */
export function keyMismatch(key, serverLabel) {
  const belongsTo = key.startsWith('ps_live_') ? 'Production' : key.startsWith('ps_test_') ? 'Staging' : null
  if (belongsTo === null || belongsTo.toLowerCase() === serverLabel.toLowerCase()) return null
  return `This is a key of ${belongsTo}: ${serverLabel} will answer 401.`
}

/**
 * @typedef {{ server: number, keys: Record<number, string> }} State
 * @type {() => State}
 */
function read() {
  const none = { server: 0, keys: {} }
  try {
    return { ...none, ...JSON.parse(sessionStorage.getItem(ITEM) ?? '{}') }
  } catch {
    return none
  }
}

/** @type {(state: State) => void} */
function write(state) {
  try {
    sessionStorage.setItem(ITEM, JSON.stringify(state))
  } catch {
    // Storage can be switched off; the state then lives in memory.
  }
}
