import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSend } from '../../icons/icons.ts'
import type { DomainDetails } from '../../api/domains.ts'
import { lateDialog } from '../../parts/late-dialog.tsx'

const SendDialog = lateDialog(() => import('./send-dialog.tsx'))

/** For those who do not hold the keys to DNS themselves. */
export function SendRecords({ domain }: { domain: DomainDetails }) {
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconSend size={15} />} onClick={open}>
        Send these to a colleague
      </Button>
      <SendDialog domain={domain} opened={opened} close={close} />
    </>
  )
}
