import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { messageOf } from '../../api/platform.ts'
import { Welcome } from './welcome.tsx'

export function SpentLink({ error }: { error: unknown }) {
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
