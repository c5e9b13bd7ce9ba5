import { Stack } from '@mantine/core'
import { CertificatesSection } from './certificates-section.tsx'
import { DomainConnectSection } from './domain-connect-section.tsx'
import { PlatformNamesSection } from './platform-names-section.tsx'

export default function NamesSections() {
  return (
    <Stack gap="lg">
      <CertificatesSection />
      <PlatformNamesSection />
      <DomainConnectSection />
    </Stack>
  )
}
