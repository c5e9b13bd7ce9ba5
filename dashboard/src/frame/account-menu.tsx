import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import {
  IconCheck,
  IconDeviceDesktop,
  IconDevices,
  IconLogout,
  IconMoon,
  IconSelector,
  IconSun,
  IconUser,
} from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { signOut, useAccount } from '../api/session.ts'
import { signedOutNow } from '../features/accounts/signed-in-now.ts'

const SCHEMES = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'As the system', IconDeviceDesktop],
] as const

export function AccountMenu() {
  const account = useAccount()
  const [, go] = useLocation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      go('/sign-in')
      signedOutNow()
    },
  })

  return (
    <Menu position="top-start" width="target">
      <Menu.Target>
        <UnstyledButton className="account-button">
          <span className="account-mark" aria-hidden="true">
            {initials(account.name)}
          </span>
          <span className="project-switch-text">
            <span className="project-switch-name">{account.name}</span>
            <span className="project-switch-slug">{account.email}</span>
          </span>
          <IconSelector size={16} aria-hidden="true" />
        </UnstyledButton>
      </Menu.Target>
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

function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => (word ?? '').slice(0, 1).toUpperCase()).join('')
}
