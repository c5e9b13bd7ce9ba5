import { Button, Modal, Stack, Text, Title } from '@mantine/core'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { platform } from '../api/platform.ts'
import { useAccount } from '../api/session.ts'
import { SignInForm } from '../features/accounts/sign-in-form.tsx'
import { signedInNow, signedOutNow } from '../features/accounts/signed-in-now.ts'
import { queryClient } from '../query-client.ts'
import { sessionEnded } from '../session-ended.ts'

/** Above every other dialog: a draft may be open in one. */
const ABOVE_ALL = 400
const TITLE = 'Your session has ended'

/** Whoever was signed out signs in here, and goes on where they were. */
export default function SessionEndedDialog() {
  const account = useAccount()
  const [, go] = useLocation()
  const isEnded = sessionEnded.use()
  const goOn = () => {
    sessionEnded.set(false)
    void queryClient.invalidateQueries()
  }
  useEffect(() => {
    if (!isEnded) return
    const look = async () => {
      const now = await platform.call('GET /session', {}).catch(() => undefined)
      if (now?.account?.id === account.id) goOn()
    }
    // Whoever comes back here may have signed in again in another tab.
    const looking = new AbortController()
    for (const how of ['focus', 'visibilitychange']) addEventListener(how, look, { signal: looking.signal })
    return () => looking.abort()
  }, [isEnded, account.id])
  return (
    <Modal.Root
      opened={isEnded}
      onClose={() => {}}
      closeOnEscape={false}
      closeOnClickOutside={false}
      centered
      zIndex={ABOVE_ALL}
    >
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      {/* Without a header of its own: there may be one of the dialog below, and two are one too many. */}
      <Modal.Content radius="lg" aria-label={TITLE}>
        <Modal.Body p="lg">
          <Stack gap="md">
            <Title order={2}>{TITLE}</Title>
            <Text size="sm">Sign in again to go on. What you have typed is still there.</Text>
            <SignInForm
              email={account.email}
              done={(signedIn) => {
                if (signedIn.id === account.id) return goOn()
                signedInNow(signedIn)
                go('/')
              }}
            />
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              onClick={() => {
                go('/sign-in')
                signedOutNow()
              }}
            >
              Leave instead
            </Button>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
