/** A moment as JSON shows it: `2030-12-05T09:30:00.000Z`. */
export const iso = (at: number) => new Date(at).toISOString()

export const isoOrNull = (at: number | null | undefined) => (typeof at === 'number' ? iso(at) : null)
