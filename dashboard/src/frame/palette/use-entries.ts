import { useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { domainsQuery } from '../../api/domains.ts'
import { petsQuery } from '../../api/pets.ts'
import { projectsQuery } from '../../api/projects.ts'
import { useSignOut } from '../../features/accounts/use-sign-out.ts'
import { idIn } from '../../features/pets/look.ts'
import { useEnvironmentSwitch } from '../environment.ts'
import { doingsOf, placesOf, type Visible } from './places.ts'
import { useVisible } from './use-visible.ts'

interface Entry {
  id: string
  label: string
  hint?: string
  words?: string
  keys?: string
  /** Where it leads; else what it does. */
  href?: string
  act?(): void
}

interface EntryGroup {
  name: string
  entries: Entry[]
  /** By the service, for just this text. */
  isFound?: boolean
}

const ANIMALS_SHOWN = '6'
const PAUSE_MS = 150

export function useEntries(text: string, showHelp: () => void): EntryGroup[] {
  const visible = useVisible()
  const { data: projects = [] } = useQuery(projectsQuery)
  const { slug } = visible
  const domains = useQuery({ ...domainsQuery(slug ?? ''), enabled: slug !== undefined })
  const actions = useActions(visible, showHelp)
  return [
    {
      name: 'Pages',
      entries: [
        ...placesOf(visible).map(({ label, href, key, words = '' }) => ({
          id: `page ${href}`,
          label,
          href,
          words,
          ...(key !== undefined && { keys: `g ${key}` }),
        })),
        { id: 'page reference', label: 'Documentation', href: '/docs/', words: 'api reference openapi guides' },
      ],
    },
    { name: 'Animals', isFound: true, entries: useAnimals(visible, text.trim()) },
    {
      name: 'Domains',
      entries: (domains.data ?? []).map(({ hostname }) => ({
        id: `domain ${hostname}`,
        label: hostname,
        href: `/projects/${slug}/settings/domains/${encodeURIComponent(hostname)}`,
      })),
    },
    {
      name: 'Projects',
      entries: projects.map((project) => ({
        id: `project ${project.slug}`,
        label: project.name,
        hint: project.slug,
        words: project.slug,
        href: `/projects/${project.slug}`,
      })),
    },
    { name: 'Actions', entries: actions },
  ]
}

function useAnimals({ slug, environment }: Visible, text: string): Entry[] {
  const [asked] = useDebouncedValue(text, PAUSE_MS)
  const id = idIn(asked)
  const { data } = useQuery({
    ...petsQuery(slug ?? '', environment, { limit: ANIMALS_SHOWN, ...(id === undefined ? { q: asked } : { id }) }),
    enabled: slug !== undefined && asked !== '',
    placeholderData: keepPreviousData,
  })
  if (text === '' || asked === '') return []
  return (data?.items ?? []).map((pet) => ({
    id: `animal ${pet.id}`,
    label: pet.name,
    hint: `#${pet.id}, ${pet.status} in ${environment}`,
    href: `/projects/${slug}/${environment}/animals?animal=${pet.id}`,
  }))
}

function useActions(visible: Visible, showHelp: () => void): Entry[] {
  const { setColorScheme } = useMantineColorScheme()
  const changeEnvironment = useEnvironmentSwitch()
  const leave = useSignOut()
  const other = visible.environment === 'production' ? 'staging' : 'production'
  const entries: Entry[] = doingsOf(visible).map(({ label, href, words = '' }) => ({
    id: `do ${href}`,
    label,
    href,
    words,
  }))
  if (visible.slug !== undefined) {
    const act = () => changeEnvironment(other)
    entries.push({ id: 'environment', label: `Switch to ${other}`, words: 'environment', keys: 'e', act })
  }
  return [
    ...entries,
    { id: 'help', label: 'Keyboard shortcuts', words: 'help keys', keys: '?', act: showHelp },
    { id: 'light', label: 'Light colours', words: 'theme scheme', act: () => setColorScheme('light') },
    { id: 'dark', label: 'Dark colours', words: 'theme scheme', act: () => setColorScheme('dark') },
    { id: 'auto', label: 'Colours as the system', words: 'theme scheme', act: () => setColorScheme('auto') },
    { id: 'sign out', label: 'Sign out', words: 'leave log', act: () => leave.mutate() },
  ]
}
