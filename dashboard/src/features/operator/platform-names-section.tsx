import { useQuery } from '@tanstack/react-query'
import { platformNamesQuery } from '../../api/operator.ts'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { Section } from '../../parts/section.tsx'
import { InstanceTable } from '../domains/instances-section.tsx'

/** What every instance really serves for the two addresses and for the sites; nothing where they are plain HTTP. */
export function PlatformNamesSection() {
  return (
    <QueryGuard query={useQuery(platformNamesQuery)}>
      {(names) =>
        names?.map(({ hostname, visitName, instances }) => (
          <Section
            key={hostname}
            flush
            title={hostname}
            description={
              'A name of the platform: each instance connects to itself under it and notes what a visitor would meet.' +
              (visitName === hostname ? '' : ` It stands for every site; ${visitName} is looked at.`)
            }
          >
            <InstanceTable instances={instances} />
          </Section>
        ))
      }
    </QueryGuard>
  )
}
