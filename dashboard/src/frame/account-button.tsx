import { UnstyledButton } from '@mantine/core'
import { IconSelector } from '../icons/icons.ts'
import { useAccount } from '../api/session.ts'
import { initialOf } from '../parts/initial.ts'
import { OnDemand } from '../parts/on-demand.tsx'

export function AccountButton() {
  const account = useAccount()
  return (
    <OnDemand load={() => import('./menus/account-menu.tsx')}>
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
    </OnDemand>
  )
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  return [words[0], words.length > 1 ? words.at(-1) : ''].map((word = '') => initialOf(word)).join('')
}
