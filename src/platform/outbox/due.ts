/** Whatever the clock says. */
export const AT_ONCE = 0
/** Waits until somebody lets it go on. */
export const HELD = Number.MAX_SAFE_INTEGER
