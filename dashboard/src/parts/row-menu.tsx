import { Menu, type MenuProps } from '@mantine/core'
import { cloneElement, type ReactElement, type ReactNode, useState } from 'react'

interface RowMenuProps extends Pick<MenuProps, 'position'> {
  button: ReactElement<{ onClick?: () => void; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>
  children: ReactNode
}

/**
 * A menu of a row, made when it is first asked for: with a hundred of them that only wait, the next page of animals
 * takes 850 ms of processor time instead of 370.
 */
export function RowMenu({ button, position, children }: RowMenuProps) {
  const [isMade, setMade] = useState(false)
  const [opened, setOpened] = useState(false)
  if (!isMade) {
    return cloneElement(button, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onClick: () => {
        setMade(true)
        setOpened(true)
      },
    })
  }
  return (
    <Menu opened={opened} onChange={setOpened} {...(position ? { position } : {})}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
