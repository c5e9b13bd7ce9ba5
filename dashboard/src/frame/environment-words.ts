import { IconFlask2, IconWorldBolt } from '../icons/icons.ts'
import type { Environment } from '../api/projects.ts'

export const ENVIRONMENT_WORDS = {
  production: { name: 'Production', about: 'Real animals and real orders.', icon: IconWorldBolt },
  staging: { name: 'Staging', about: 'For trying things out: nothing here is real.', icon: IconFlask2 },
} as const

export const CHOICES = (Object.keys(ENVIRONMENT_WORDS) as Environment[]).map((value) => ({
  value,
  label: ENVIRONMENT_WORDS[value].name,
}))
