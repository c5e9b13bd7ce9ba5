import { ERROR_CODES } from '../../platform/errors.ts'

export interface Entry {
  /** The address below `/docs/`. */
  path: string
  /** In the checkout. */
  file: string
  /** In lists of pages, where it is not the page's own. */
  title?: string
}

interface Group {
  title: string
  entries: readonly (Entry | Elsewhere)[]
}

/** What is served beside these pages. */
export interface Elsewhere {
  title: string
  href: string
  about: string
}

export const HOME: Entry = { path: '', file: 'docs/README.md' }

const guide = (name: string): Entry => ({ path: name, file: `docs/${name}.md` })

/** In the order in which they are read. A page that is to be on the site stands here. */
export const CONTENTS: readonly Group[] = [
  {
    title: 'Start',
    entries: [
      guide('quick-start'),
      guide('tutorials/first-animal'),
      guide('tutorials/first-site'),
      guide('tutorials/first-domain'),
      guide('ci'),
      guide('tutorials/webhooks'),
      guide('tutorials/fleet'),
    ],
  },
  {
    title: 'Guides',
    entries: [guide('api-conventions'), guide('publishing'), guide('custom-domains'), guide('webhooks')],
  },
  {
    title: 'Reference',
    entries: [
      {
        title: 'Animals API',
        href: '/docs/animals/',
        about: 'Every operation of /v1, with samples and a panel to try it.',
      },
      {
        title: 'Management API',
        href: '/docs/platform/',
        about: 'Every operation of /platform/v1: projects, people, keys, deploys and domains.',
      },
      { path: 'sdk', file: 'client/README.md', title: 'TypeScript SDK' },
      guide('reference/sdk'),
      { path: 'command-line', file: 'cli/README.md', title: 'Command line' },
      guide('reference/commands'),
      { path: 'errors/', file: 'docs/errors/README.md' },
      guide('versioning'),
      { path: 'changelog', file: 'CHANGELOG.md' },
    ],
  },
  {
    title: 'Operators',
    entries: ['operating', 'scaling', 'reliability', 'security', 'platforms', 'benchmarks', 'abuse-cases'].map(guide),
  },
]

/** Each is reached from the list of all codes. */
export const ERROR_PAGES: readonly Entry[] = ERROR_CODES.map((code) => guide(`errors/${code}`))

const listed = CONTENTS.flatMap(({ entries }) => entries).filter((entry) => 'file' in entry)

/** Every page of the site. */
export const PAGES: readonly Entry[] = [HOME, ...listed, ...ERROR_PAGES]

/** The pages one after the other, for those who read on. */
export const READING_ORDER: readonly Entry[] = listed

export const addressOf = ({ path }: Entry) => `/docs/${path}`
