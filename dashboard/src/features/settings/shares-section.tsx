import { SimpleGrid, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sharesQuery } from '../../api/shares.ts'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { ShareBar } from '../../parts/share-bar.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { useProject } from '../projects/project-context.ts'

/** What this project may take of what all projects share. */
export function SharesSection() {
  const { slug } = useProject()
  return (
    <Section
      title="Shares"
      description="What this project may use of what all projects share, so that nobody can harm a neighbour."
    >
      <QueryGuard query={useQuery(sharesQuery(slug))} waiting={<WaitingLines lines={4} />}>
        {(shares) => (
          <Stack gap="xl">
            <SimpleGrid cols={{ base: 1, sm: 3 }}>
              {shares.filter(isKept).map((share) => (
                <ShareBar key={share.share} share={share} />
              ))}
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              {shares
                .filter((share) => !isKept(share))
                .map((share) => (
                  <ShareBar key={share.share} share={share} />
                ))}
            </SimpleGrid>
          </Stack>
        )}
      </QueryGuard>
    </Section>
  )
}

const isKept = ({ perMinute }: { perMinute: number | null }) => perMinute === null
