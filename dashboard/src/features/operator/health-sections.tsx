import { Stack } from '@mantine/core'
import { InstancesSection } from './instances-section.tsx'
import { WorkSection } from './work-section.tsx'

export default function HealthSections() {
  return (
    <Stack gap="lg">
      <InstancesSection />
      <WorkSection />
    </Stack>
  )
}
