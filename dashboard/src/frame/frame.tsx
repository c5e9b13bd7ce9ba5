import { Burger } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense, type SyntheticEvent, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { bringEarly } from '../parts/late-page.ts'
import { useOnceOpened } from '../parts/use-once-opened.ts'
import { EnvironmentButton } from './environment-switch.tsx'
import { LastResort } from './last-resort.tsx'
import { Logo } from './logo.tsx'
import { NewsBell } from './news-bell.tsx'
import { pageAt } from './pages.ts'
import { Shortcuts } from './palette/shortcuts.tsx'
import { Side } from './side.tsx'
import { useShownProject } from './use-shown-project.ts'

const SideDrawer = lazy(() => import('./side-drawer.tsx'))

/** What stands around every page: a side bar, which becomes a drawer on a phone. */
export function Frame({ children }: { children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure(false)
  const wasOpened = useOnceOpened(opened)
  const [path] = useLocation()
  const slug = useShownProject()
  useEffect(() => {
    close()
    scrollTo(0, 0)
  }, [path])

  return (
    <div className="frame" onPointerOver={bringWanted} onFocus={bringWanted}>
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
            <EnvironmentButton />
            <NewsBell slug={slug} />
          </>
        )}
        <Burger opened={opened} onClick={toggle} size="sm" aria-label={opened ? 'Close the menu' : 'Open the menu'} />
      </header>
      <nav className="side" aria-label="Main">
        <Side />
      </nav>
      {wasOpened && (
        <Suspense>
          <SideDrawer opened={opened} close={close} />
        </Suspense>
      )}
      <Shortcuts />
      <main id="main" className="main" tabIndex={-1} data-path={path}>
        <LastResort path={path}>{children}</LastResort>
      </main>
    </div>
  )
}

/** What a link leads to that somebody points at, or has come to by the keyboard. */
function bringWanted({ target }: SyntheticEvent): void {
  const link = target instanceof Element ? target.closest('a') : null
  if (link?.origin === location.origin) bringEarly(pageAt(link.pathname))
}
