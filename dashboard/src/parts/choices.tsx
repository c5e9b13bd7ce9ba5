import { Menu, type MenuProps } from '@mantine/core'
import { Fragment, type ReactElement, type ReactNode, useState } from 'react'

interface Choice {
  label: string
  icon?: ReactNode
  /** In red, behind a line. */
  isDangerous?: boolean
  choose(): unknown
}

export interface ChoicesProps extends Pick<MenuProps, 'position'> {
  button: ReactElement<{
    onClick?: () => void
    onPointerEnter?: () => void
    autoFocus?: boolean
    'aria-haspopup'?: 'menu'
    'aria-expanded'?: boolean
  }>
  choices: readonly Choice[]
}

/** A menu of things to do, open from the beginning: somebody has pressed its button. */
export default function Choices({ button, position, choices }: ChoicesProps) {
  const [opened, setOpened] = useState(true)
  return (
    <Menu opened={opened} onChange={setOpened} {...(position ? { position } : {})}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ label, icon, isDangerous = false, choose }) => (
          <Fragment key={label}>
            {isDangerous && <Menu.Divider />}
            <Menu.Item leftSection={icon} {...(isDangerous ? { color: 'red' } : {})} onClick={() => void choose()}>
              {label}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
