import { Menu } from '@mantine/core'
import { IconCheck } from '../../icons/icons.ts'
import type { OnDemandProps } from '../../parts/on-demand.tsx'
import { CHOICES } from '../environment-words.ts'
import { useEnvironment, useEnvironmentSwitch } from '../environment.ts'

export default function EnvironmentMenu({ children, defaultOpened }: OnDemandProps) {
  const shown = useEnvironment()
  const change = useEnvironmentSwitch()
  return (
    <Menu defaultOpened={defaultOpened}>
      <Menu.Target>{children}</Menu.Target>
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
