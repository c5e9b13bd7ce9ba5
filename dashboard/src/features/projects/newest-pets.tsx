import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { newestPetsQuery } from '../../api/pets.ts'
import { lastEnvironment } from '../../frame/last-project.ts'
import { Section } from '../../parts/section.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { StatusTag } from '../pets/status-tag.tsx'
import { useProject } from './project-context.ts'

export function NewestPets() {
  const { slug } = useProject()
  const environment = lastEnvironment()
  const { data: pets, error, refetch } = useQuery(newestPetsQuery(slug, environment))
  return (
    <Section
      title="Newest animals"
      actions={
        <Anchor component={Link} href={`/projects/${slug}/${environment}/animals`} size="sm">
          All animals
        </Anchor>
      }
    >
      {error && !pets && <Trouble error={error} retry={() => void refetch()} />}
      {!error && !pets && <WaitingLines />}
      {pets?.length === 0 && (
        <Text size="sm" c="dimmed">
          None in {environment} yet.
        </Text>
      )}
      {pets && pets.length > 0 && (
        <ul className="newest">
          {pets.map((pet) => (
            <li key={String(pet.id)}>
              <span className="newest-name">{pet.name}</span>
              <span className="newest-id mono">#{String(pet.id)}</span>
              <StatusTag status={pet.status} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
