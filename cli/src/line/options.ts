import { ENVIRONMENTS } from './choices.ts'

export const json = { type: 'boolean', help: 'print one JSON document' } as const

export const project = { type: 'string', value: 'SLUG', help: 'the project' } as const

export const reason = {
  type: 'string',
  value: 'TEXT',
  required: true,
  help: 'why, which members of the project and callers with its keys read',
} as const

export const environment = { type: 'string', choices: ENVIRONMENTS, help: 'the environment' } as const
