import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '../icons/icons.ts'
import { OnDemand } from '../parts/on-demand.tsx'
import { Segments } from '../parts/segments.tsx'
import { CHOICES } from './environment-words.ts'
import { useEnvironment, useEnvironmentSwitch } from './environment.ts'

/** The one switch for the whole dashboard; it stands in the side bar. */
export function EnvironmentSwitch() {
  const shown = useEnvironment()
  const change = useEnvironmentSwitch()
  return (
    <Segments
      label="Environment"
      className={`environment-switch is-${shown}`}
      choices={CHOICES}
      value={shown}
      change={change}
    />
  )
}

/** The same where there is no side bar. */
export function EnvironmentButton() {
  const shown = useEnvironment()
  return (
    <OnDemand load={() => import('./menus/environment-menu.tsx')}>
      <UnstyledButton className={`environment-button is-${shown}`} aria-label={`Environment: ${shown}. Change it`}>
        {shown}
        <IconChevronDown size={14} aria-hidden="true" />
      </UnstyledButton>
    </OnDemand>
  )
}
