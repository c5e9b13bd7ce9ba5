import { createContext, use } from 'react'
import type { Project } from '../../api/projects.ts'

export const ProjectContext = createContext<Project | null>(null)

/** The project whose page is shown. */
export function useProject(): Project {
  const project = use(ProjectContext)
  if (!project) throw new Error('This part belongs on the page of a project.')
  return project
}

/** Viewers see everything and change nothing, and while a project is suspended nobody changes it. */
export const mayEdit = ({ role, suspension }: Project) => role !== 'viewer' && suspension === null
export const isOwner = ({ role, suspension }: Project) => role === 'owner' && suspension === null
