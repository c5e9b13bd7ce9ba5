import { Alert, Anchor } from '@mantine/core'
import { Link } from 'wouter'
import { IconFlask } from '../../icons/icons.ts'
import { useInstallation } from '../../api/installation.ts'

/** In local mode the whole procedure can be rehearsed, and nothing of it reaches the internet. */
export function SandboxHint({ apex }: { apex?: string }) {
  const { sandbox } = useInstallation()
  if (!sandbox) return null
  return (
    <Alert className="notice is-violet" icon={<IconFlask size={20} />} title="Local mode: rehearse it all offline">
      Use a domain of the sandbox, such as <span className="mono">www.example.test</span>, and create its DNS record at
      the{' '}
      <Anchor component={Link} href={apex ? `/sandbox/${apex}` : '/sandbox'} inherit>
        sandbox registrar
      </Anchor>
      . Real domains cannot be reached from here.
    </Alert>
  )
}
