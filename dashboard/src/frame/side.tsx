import { UnstyledButton } from '@mantine/core'
import type { ComponentType, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import {
  IconActivity,
  IconBook2,
  IconFlask,
  IconKey,
  IconLayoutDashboard,
  IconPaw,
  IconRocket,
  IconSearch,
  IconSettings,
  IconShieldStar,
  IconShoppingBag,
  IconWebhook,
  IconWorldWww,
} from '../icons/icons.ts'
import { useInstallation } from '../api/installation.ts'
import { useAccount } from '../api/session.ts'
import { AccountButton } from './account-button.tsx'
import { useEnvironment } from './environment.ts'
import { EnvironmentSwitch } from './environment-switch.tsx'
import { useShownProject } from './use-shown-project.ts'
import { Logo } from './logo.tsx'
import { NewsBell } from './news-bell.tsx'
import { openPalette } from './palette/open-palette.ts'
import { ProjectSwitch } from './project-switch.tsx'

const SEARCH_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K'

/** The ways to everything. */
export function Side() {
  const slug = useShownProject()
  const { sandbox } = useInstallation()
  const { operator } = useAccount()
  return (
    <div className="side-content">
      <div className="side-top only-wide">
        <Link href="/" className="brand">
          <Logo />
          Petstore
        </Link>
        {slug !== undefined && <NewsBell slug={slug} />}
      </div>
      <ProjectSwitch slug={slug} />
      <UnstyledButton className="search-button" onClick={openPalette}>
        <IconSearch size={16} aria-hidden="true" />
        Search
        <kbd aria-hidden="true">{SEARCH_KEYS}</kbd>
      </UnstyledButton>
      {slug !== undefined && <ProjectLinks slug={slug} />}
      <div className="side-foot">
        <ul className="side-links">
          {sandbox && (
            <Way href="/sandbox" icon={IconFlask} mark={<span className="tag is-violet">local</span>}>
              Sandbox registrar
            </Way>
          )}
          {operator && (
            <Way href="/operator" icon={IconShieldStar}>
              Operator
            </Way>
          )}
          <li>
            <a className="side-link" href="/docs/" target="_blank" rel="noopener">
              <IconBook2 size={18} stroke={1.7} aria-hidden="true" />
              Documentation
            </a>
          </li>
        </ul>
        <AccountButton />
      </div>
    </div>
  )
}

function ProjectLinks({ slug }: { slug: string }) {
  const base = `/projects/${slug}`
  const shown = useEnvironment()
  return (
    <>
      <EnvironmentSwitch />
      <ul className="side-links">
        <Way href={base} exact icon={IconLayoutDashboard}>
          Overview
        </Way>
      </ul>
      <p className="side-title">Store</p>
      <ul className="side-links">
        <Way href={`${base}/${shown}/animals`} icon={IconPaw}>
          Animals
        </Way>
        <Way href={`${base}/${shown}/orders`} icon={IconShoppingBag}>
          Orders
        </Way>
        <Way href={`${base}/${shown}/keys`} icon={IconKey}>
          API keys
        </Way>
        <Way href={`${base}/${shown}/requests`} icon={IconActivity}>
          Requests
        </Way>
      </ul>
      <p className="side-title">Publishing</p>
      <ul className="side-links">
        <Way href={`${base}/deploys`} icon={IconRocket}>
          Deploys
        </Way>
        <Way href={`${base}/settings/domains`} icon={IconWorldWww}>
          Domains
        </Way>
      </ul>
      <p className="side-title">Project</p>
      <ul className="side-links">
        <Way href={`${base}/webhooks`} icon={IconWebhook}>
          Webhooks
        </Way>
        <Way href={`${base}/settings`} except={`${base}/settings/domains`} icon={IconSettings}>
          Settings
        </Way>
      </ul>
    </>
  )
}

interface WayProps {
  href: string
  icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>
  /** Only this page, and none below it. */
  exact?: boolean
  /** A page below it that has a way of its own. */
  except?: string
  mark?: ReactNode
  children: string
}

function Way({ href, icon: Icon, exact = false, except, mark, children }: WayProps) {
  const [path] = useLocation()
  const isElsewhere = except !== undefined && path.startsWith(except)
  const isHere = path === href || (!exact && path.startsWith(`${href}/`) && !isElsewhere)
  return (
    <li>
      <Link href={href} className="side-link" {...(isHere ? { 'aria-current': 'page' as const } : {})}>
        <Icon size={18} stroke={1.7} aria-hidden="true" />
        {children}
        {mark}
      </Link>
    </li>
  )
}
