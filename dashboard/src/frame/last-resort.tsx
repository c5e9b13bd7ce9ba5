import { Button, Center, Stack, Text, Title } from '@mantine/core'
import { Component, type ReactNode, useEffect, useState } from 'react'
import { connectionLost, lookForService } from '../connection.ts'

interface LastResortProps {
  /** Of the page, where the frame around it stays. */
  path?: string
  children: ReactNode
}

/** When a page breaks: the service is away, or has been updated and the code that this tab knows is gone. */
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
    return <Broken />
  }
}

const WAITING = 'This page opens by itself as soon as it does.'
const UPDATED = `The dashboard may have been updated since you opened it. Load it again; if that does not help, tell
  whoever runs this service what you did.`

/** Parts of the code are loaded when they are first needed, so that a service that is away breaks a page, too. */
function Broken() {
  const isLost = connectionLost.use()
  const [wasLost, setWasLost] = useState(false)
  useEffect(() => void lookForService(), [])
  useEffect(() => {
    if (isLost) setWasLost(true)
    else if (wasLost) location.reload()
  }, [isLost])
  return (
    <Center mih="60dvh" p="xl" role="alert">
      <Stack align="center" gap="sm" maw="30rem" ta="center">
        <Title order={1}>{isLost ? 'The service does not answer' : 'This page could not be shown'}</Title>
        <Text c="dimmed">{isLost ? WAITING : UPDATED}</Text>
        {!isLost && <Button onClick={() => location.reload()}>Load again</Button>}
      </Stack>
    </Center>
  )
}
