import { createContext, use } from 'react'
import type { Project } from '../../api/projects.ts'

export const ProjectContext = createContext<Project | null>(null)

/** The project whose page is shown. */
export function useProject(): Project {
  const project = use(ProjectContext)
  if (!project) throw new Error('This part belongs on the page of a project.')
  return project
}

/** Viewers see everything and change nothing. */
export const mayEdit = ({ role }: Project) => role !== 'viewer'
export const isOwner = ({ role }: Project) => role === 'owner'
