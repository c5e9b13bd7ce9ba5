import { previewLabel } from '../../../../src/features/deploys/preview.ts'
import type { Deploy } from '../../api/deploys.ts'
import type { Project } from '../../api/projects.ts'

/** A name of its own beside that of the project, where one deploy can be looked at before it is shown. */
export function previewUrl(project: Project, deploy: Deploy): string | undefined {
  const label = previewLabel(deploy.id)
  if (label === undefined) return undefined
  const url = new URL(project.url)
  url.hostname = `${label}.${url.hostname.slice(project.slug.length + 1)}`
  return url.href
}
