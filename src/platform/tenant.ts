/** Whose animals and orders they are: a project, in one of its two environments. */
export interface Tenant {
  projectId: number
  environment: string
}

/** Nothing but the tenant of whoever calls for it, so that it can travel into a write. */
export const tenantOf = ({ projectId, environment }: Readonly<Tenant>): Tenant => ({ projectId, environment })
