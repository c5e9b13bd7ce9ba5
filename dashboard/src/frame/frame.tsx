import { Burger, Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { EnvironmentMenu } from './environment-switch.tsx'
import { LastResort } from './last-resort.tsx'
import { Logo } from './logo.tsx'
import { NewsBell } from './news-bell.tsx'
import { Shortcuts } from './palette/shortcuts.tsx'
import { Side } from './side.tsx'
import { useShownProject } from './use-shown-project.ts'

/** What stands around every page: a side bar, which becomes a drawer on a phone. */
export function Frame({ children }: { children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure(false)
  const [path] = useLocation()
  const slug = useShownProject()
  useEffect(() => {
    close()
    scrollTo(0, 0)
  }, [path])

  return (
    <div className="frame">
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <header className="top-bar">
        <Link href="/" className="brand">
          <Logo />
          Petstore
        </Link>
        <span className="top-bar-space" />
        {slug !== undefined && (
          <>
            <EnvironmentMenu />
            <NewsBell slug={slug} />
          </>
        )}
        <Burger opened={opened} onClick={toggle} size="sm" aria-label={opened ? 'Close the menu' : 'Open the menu'} />
      </header>
      <nav className="side" aria-label="Main">
        <Side />
      </nav>
      <Drawer
        opened={opened}
        onClose={close}
        size="18rem"
        position="right"
        title="Menu"
        padding="md"
        classNames={{ content: 'side-drawer', body: 'side-drawer-body' }}
        closeButtonProps={{ 'aria-label': 'Close the menu' }}
      >
        <nav aria-label="Main">
          <Side />
        </nav>
      </Drawer>
      <Shortcuts />
      <main id="main" className="main" tabIndex={-1} data-path={path}>
        <LastResort path={path}>{children}</LastResort>
      </main>
    </div>
  )
}
