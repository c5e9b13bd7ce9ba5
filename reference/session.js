const ITEM = 'petstore.reference.session'

/**
 * The chosen environment and one key for each. Kept in the storage of the tab, which forgets them when it closes,
 * or in memory alone where that storage is switched off; never in a cookie, the address or the local storage.
 */
export function openSession(servers) {
  const state = read()
  if (servers[state.server] === undefined) state.server = 0
  const listeners = new Set()
  const changed = () => {
    write(state)
    for (const listener of listeners) listener()
  }
  return {
    servers,
    serverIndex: () => state.server,
    server: () => servers[state.server],
    chooseServer(index) {
      state.server = index
      changed()
    },
    key: () => state.keys[state.server] ?? '',
    setKey(key) {
      if (key === '') delete state.keys[state.server]
      else state.keys[state.server] = key
      changed()
    },
    /** Calls now and after each change. */
    follow(listener) {
      listeners.add(listener)
      listener()
    },
  }
}

/** A sentence when the key visibly belongs to the other environment, or null. */
export function keyMismatch(key, serverLabel) {
  const belongsTo = key.startsWith('ps_live_') ? 'Production' : key.startsWith('ps_test_') ? 'Staging' : null
  if (belongsTo === null || belongsTo.toLowerCase() === serverLabel.toLowerCase()) return null
  return `This is a key of ${belongsTo}: ${serverLabel} will answer 401.`
}

function read() {
  const none = { server: 0, keys: {} }
  try {
    return { ...none, ...JSON.parse(sessionStorage.getItem(ITEM) ?? '{}') }
  } catch {
    return none
  }
}

function write(state) {
  try {
    sessionStorage.setItem(ITEM, JSON.stringify(state))
  } catch {
    // Storage can be switched off; the state then lives in memory.
  }
}
