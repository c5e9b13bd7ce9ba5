import { useQuery } from '@tanstack/react-query'
import { platformNamesQuery } from '../../api/operator.ts'
import { Section } from '../../parts/section.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { InstanceTable } from '../domains/instances-section.tsx'

/** What every instance really serves for the two addresses and for the sites; nothing where they are plain HTTP. */
export function PlatformNamesSection() {
  const { data: names, error, refetch } = useQuery(platformNamesQuery)
  if (error && !names) {
    return (
      <Section title="Names of the platform">
        <Trouble error={error} retry={() => void refetch()} />
      </Section>
    )
  }
  return names?.map(({ hostname, visitName, instances }) => (
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
