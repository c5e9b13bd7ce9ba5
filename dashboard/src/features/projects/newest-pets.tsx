import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { petsQuery } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { StatusTag } from '../pets/status-tag.tsx'
import { useProject } from './project-context.ts'

export function NewestPets({ environment }: { environment: Environment }) {
  const { slug } = useProject()
  const pets = useQuery(petsQuery(slug, environment, { order: 'newest', limit: '5' }))
  return (
    <Section
      title={`Newest animals in ${environment}`}
      actions={
        <Anchor component={Link} href={`/projects/${slug}/${environment}/animals`} size="sm">
          All animals
        </Anchor>
      }
    >
      <QueryGuard query={pets} waiting={<WaitingLines />}>
        {({ items: newest }) =>
          newest.length === 0 ? (
            <Text size="sm" c="dimmed">
              None in {environment} yet.
            </Text>
          ) : (
            <ul className="newest">
              {newest.map((pet) => (
                <li key={String(pet.id)}>
                  <span className="newest-name">{pet.name}</span>
                  <span className="newest-id mono">#{String(pet.id)}</span>
                  <StatusTag status={pet.status} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryGuard>
    </Section>
  )
}
