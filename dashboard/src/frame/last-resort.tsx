import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode } from 'react'

/** When a page breaks: usually the service has been updated, and the code that this tab knows is gone. */
export class LastResort extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <Center mih="60dvh" p="xl" component="main">
        <Stack align="center" gap="sm" maw="30rem" ta="center">
          <Title order={1}>This page could not be shown</Title>
          <Text c="dimmed">
            The dashboard may have been updated since you opened it. Load it again; if that does not help, tell whoever runs
            this service what you did.
          </Text>
          <Button onClick={() => location.reload()}>Load again</Button>
        </Stack>
      </Center>
    )
  }
}
