import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { IconArrowLeft } from '../../icons/icons.ts'
import { useProject } from '../projects/project-context.ts'

export function BackToDomains() {
  const { slug } = useProject()
  return (
    <Anchor component={Link} href={`/projects/${slug}/settings/domains`} size="sm" className="back-link">
      <IconArrowLeft size={14} aria-hidden="true" /> Domains
    </Anchor>
  )
}
