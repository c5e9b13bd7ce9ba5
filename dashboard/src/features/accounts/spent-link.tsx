import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { isPassing, messageOf } from '../../api/platform.ts'
import { Trouble } from '../../parts/trouble.tsx'
import { Welcome } from './welcome.tsx'

interface SpentLinkProps {
  error: unknown
  refetch(): unknown
}

/** A link that leads nowhere; one that nobody could look at may still be good. */
export function SpentLink({ error, refetch }: SpentLinkProps) {
  if (isPassing(error)) {
    return (
      <Welcome title="Your link could not be looked at">
        <Trouble error={error} retry={() => void refetch()} />
      </Welcome>
    )
  }
  return (
    <Welcome
      title="This link does not work"
      description={error ? messageOf(error) : 'It is not complete: copy all of it, with everything behind the # sign.'}
    >
      <Button component={Link} href="/sign-in" fullWidth>
        Go to sign in
      </Button>
    </Welcome>
  )
}
