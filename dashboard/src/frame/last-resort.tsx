import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'

interface LastResortProps {
  /** Of the page, where the frame around it stays. */
  path?: string
  children: ReactNode
}

/** When a page breaks: usually the service has been updated, and the code that this tab knows is gone. */
export class LastResort extends Component<LastResortProps, { failedAt: string | null | undefined }> {
  override state = { failedAt: undefined }

  static getDerivedStateFromError() {
    return { failedAt: null }
  }

  /** Another page is another chance. */
  static getDerivedStateFromProps({ path }: LastResortProps, { failedAt }: { failedAt: string | null | undefined }) {
    if (failedAt === null) return { failedAt: path ?? '' }
    return failedAt !== undefined && path !== undefined && failedAt !== path ? { failedAt: undefined } : null
  }

  override render() {
    if (this.state.failedAt === undefined) return this.props.children
    return (
      <Center mih="60dvh" p="xl" role="alert">
        <Stack align="center" gap="sm" maw="30rem" ta="center">
          <Title order={1}>This page could not be shown</Title>
          <Text c="dimmed">
            The dashboard may have been updated since you opened it. Load it again; if that does not help, tell whoever
            runs this service what you did.
          </Text>
          <Button onClick={() => location.reload()}>Load again</Button>
        </Stack>
      </Center>
    )
  }
}
