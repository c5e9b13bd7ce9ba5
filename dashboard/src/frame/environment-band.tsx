import { useInstallation } from '../api/installation.ts'
import type { Environment } from '../api/projects.ts'
import { CopyIcon } from '../parts/copy.tsx'
import { ENVIRONMENT_WORDS } from './environment-words.ts'

/** Says in colour, pattern and words which environment everything below it belongs to. */
export function EnvironmentBand({ environment }: { environment: Environment }) {
  const { addresses } = useInstallation()
  const { name, about, icon: Icon } = ENVIRONMENT_WORDS[environment]
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
    </section>
  )
}
