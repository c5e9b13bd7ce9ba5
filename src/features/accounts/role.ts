/** From least to most: each may do everything that the ones before it may. */
export const ROLES = ['viewer', 'editor', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** The role and those below it. */
export const upTo = (role: Role) => ROLES.filter((other) => suffices(role, other))

export const suffices = (has: Role, needs: Role) => ROLES.indexOf(has) >= ROLES.indexOf(needs)
