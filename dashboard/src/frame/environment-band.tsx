import { SegmentedControl } from '@mantine/core'
import { IconFlask2, IconWorldBolt } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useInstallation } from '../api/installation.ts'
import type { Environment } from '../api/projects.ts'
import { CopyIcon } from '../parts/copy.tsx'
import { rememberEnvironment } from './last-project.ts'

const WORDS = {
  production: { name: 'Production', about: 'Real animals and real orders.', icon: IconWorldBolt },
  staging: { name: 'Staging', about: 'For trying things out: nothing here is real.', icon: IconFlask2 },
} as const

/** Says in colour, pattern and words which environment everything below it belongs to. */
export function EnvironmentBand({ environment }: { environment: Environment }) {
  const { addresses } = useInstallation()
  const [path, go] = useLocation()
  const { name, about, icon: Icon } = WORDS[environment]
  useEffect(() => rememberEnvironment(environment), [environment])

  return (
    <section className={`band is-${environment}`} aria-label="Environment">
      <Icon size={22} stroke={1.7} aria-hidden="true" />
      <div className="band-text">
        <p className="band-name">{name}</p>
        <p className="band-about">{about}</p>
      </div>
      <p className="band-address">
        <span className="mono">{addresses[environment]}</span>
        <CopyIcon value={addresses[environment]} what={`the ${environment} address`} />
      </p>
      <SegmentedControl
        aria-label="Environment"
        value={environment}
        size="sm"
        className="band-switch"
        data={[
          { value: 'production', label: 'Production' },
          { value: 'staging', label: 'Staging' },
        ]}
        onChange={(chosen) => go(path.replace(`/${environment}/`, `/${chosen}/`))}
      />
    </section>
  )
}
