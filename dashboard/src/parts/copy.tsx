import { ActionIcon, Button, type ButtonProps } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useEffect } from 'react'
import { IconCheck, IconCopy } from '../icons/icons.ts'
import { Hint } from './hint.tsx'

interface CopyProps {
  value: string
  /** What is copied: "the value", "the key". */
  what: string
}

/** A small button beside a value. */
export function CopyIcon({ value, what }: CopyProps) {
  const { copied, copy } = useCopy(value)
  const label = copied ? 'Copied' : `Copy ${what}`
  return (
    <Hint label={label}>
      <ActionIcon variant="subtle" color="gray" size="md" aria-label={label} onClick={copy}>
        {copied ? <IconCheck size={16} color="var(--accent)" /> : <IconCopy size={16} />}
      </ActionIcon>
    </Hint>
  )
}

export function CopyButton({ value, what, children, ...rest }: CopyProps & ButtonProps & { children: string }) {
  const { copied, copy } = useCopy(value)
  return (
    <Button
      variant="default"
      aria-label={copied ? 'Copied' : `${children}: ${what}`}
      onClick={copy}
      leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      {...rest}
    >
      {copied ? 'Copied' : children}
    </Button>
  )
}

function useCopy(value: string) {
  const { copied, copy, error } = useClipboard({ timeout: 1500 })
  // Browsers offer the clipboard on HTTPS and localhost only, and refuse it there, too: by a policy, or to a frame.
  useEffect(() => {
    if (!error) return
    notifications.show({
      color: 'red',
      message: 'This browser does not let the page copy here: select the text and copy it yourself.',
    })
  }, [error])
  return { copied, copy: () => copy(value) }
}
