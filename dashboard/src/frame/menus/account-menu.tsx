import { Menu, useMantineColorScheme } from '@mantine/core'
import { useLocation } from 'wouter'
import {
  IconCheck,
  IconDeviceDesktop,
  IconDevices,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
} from '../../icons/icons.ts'
import { useSignOut } from '../../features/accounts/use-sign-out.ts'
import type { OnDemandProps } from '../../parts/on-demand.tsx'

const SCHEMES = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'As the system', IconDeviceDesktop],
] as const

export default function AccountMenu({ children, defaultOpened }: OnDemandProps) {
  const [, go] = useLocation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const leave = useSignOut()
  return (
    <Menu position="top-start" width="target" defaultOpened={defaultOpened}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUser size={16} />} onClick={() => go('/account')}>
          Account
        </Menu.Item>
        <Menu.Item leftSection={<IconDevices size={16} />} onClick={() => go('/account/sessions')}>
          Sessions
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Colours</Menu.Label>
        {SCHEMES.map(([scheme, label, Icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} />}
            onClick={() => setColorScheme(scheme)}
            rightSection={colorScheme === scheme ? <IconCheck size={16} aria-label="chosen" /> : null}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => leave.mutate()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
