/** What spreadsheet programs take for the beginning of a formula, also in the wide form of East Asian keyboards. */
const GUARDED = /^'+[=+\-@＝＋－＠]/
const NEEDS_GUARD = /^'*[=+\-@＝＋－＠]/

/** A text for a cell of CSV that no spreadsheet program runs. One that looks guarded is too: so each comes back. */
export const guarded = (text: string): string => (NEEDS_GUARD.test(text) ? `'${text}` : text)

export const unguarded = (text: string): string => (GUARDED.test(text) ? text.slice(1) : text)
