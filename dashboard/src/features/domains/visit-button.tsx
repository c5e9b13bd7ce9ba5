import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { type Installation, useInstallation } from '../../api/installation.ts'

/** Where the browser that people have finds a domain; the sandbox's names are its own secret. */
export const visitAddress = ({ visit }: Installation, hostname: string) => visit.replace('{hostname}', hostname)

export function VisitButton({ hostname }: { hostname: string }) {
  return (
    <Button
      component="a"
      href={visitAddress(useInstallation(), hostname)}
      target="_blank"
      rel="noopener"
      variant="default"
      rightSection={<IconExternalLink size={16} />}
    >
      Visit
    </Button>
  )
}
