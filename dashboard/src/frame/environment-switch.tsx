import { Menu, SegmentedControl, UnstyledButton } from '@mantine/core'
import { IconCheck, IconChevronDown, IconFlask2, IconWorldBolt } from '@tabler/icons-react'
import type { Environment } from '../api/projects.ts'
import { useEnvironment, useEnvironmentSwitch } from './environment.ts'

export const ENVIRONMENT_WORDS = {
  production: { name: 'Production', about: 'Real animals and real orders.', icon: IconWorldBolt },
  staging: { name: 'Staging', about: 'For trying things out: nothing here is real.', icon: IconFlask2 },
} as const

const CHOICES = (Object.keys(ENVIRONMENT_WORDS) as Environment[]).map((value) => ({
  value,
  label: ENVIRONMENT_WORDS[value].name,
}))

/** The one switch for the whole dashboard; it stands in the side bar. */
export function EnvironmentSwitch() {
  const shown = useEnvironment()
  const change = useEnvironmentSwitch()
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label="Environment"
      className={`environment-switch is-${shown}`}
      value={shown}
      data={CHOICES}
      onChange={(chosen) => change(chosen as Environment)}
    />
  )
}

/** The same where there is no side bar. */
export function EnvironmentMenu() {
  const shown = useEnvironment()
  const change = useEnvironmentSwitch()
  return (
    <Menu>
      <Menu.Target>
        <UnstyledButton className={`environment-button is-${shown}`} aria-label={`Environment: ${shown}. Change it`}>
          {shown}
          <IconChevronDown size={14} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.map(({ value, label }) => (
          <Menu.Item
            key={value}
            onClick={() => change(value)}
            rightSection={value === shown ? <IconCheck size={16} aria-label="shown now" /> : null}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
