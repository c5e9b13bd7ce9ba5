import { Button, type ButtonProps } from '@mantine/core'
import { IconExternalLink } from '../../icons/icons.ts'
import { type Installation, useInstallation } from '../../api/installation.ts'

/** Where the browser that people have finds a domain: it does not know the names of the sandbox. */
export const visitAddress = ({ visit }: Installation, hostname: string) => visit.replace('{hostname}', hostname)

export function VisitButton({ hostname, ...rest }: { hostname: string } & ButtonProps) {
  return (
    <Button
      component="a"
      href={visitAddress(useInstallation(), hostname)}
      target="_blank"
      rel="noopener"
      rightSection={<IconExternalLink size={16} />}
      {...rest}
    >
      Visit
    </Button>
  )
}
