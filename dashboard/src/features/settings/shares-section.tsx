import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sharesQuery } from '../../api/shares.ts'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { ShareBar } from '../../parts/share-bar.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { useProject } from '../projects/project-context.ts'

/** Uploads, and what comes back with time, change while one looks. */
const REFRESH_MS = 5000

/** What this project may take of what all projects share. */
export function SharesSection() {
  const { slug } = useProject()
  const shares = useQuery({ ...sharesQuery(slug), refetchInterval: REFRESH_MS })
  return (
    <Section
      title="Shares"
      description="What this project may use of what all projects share, so that nobody can harm a neighbour."
    >
      <QueryGuard query={shares} waiting={<WaitingLines lines={4} />}>
        {(all) => (
          <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="xl">
            {all.map((share) => (
              <ShareBar key={share.share} share={share} />
            ))}
          </SimpleGrid>
        )}
      </QueryGuard>
    </Section>
  )
}
