import { invalid } from '../../platform/errors.ts'
import { object, oneOf, optional, type Static, text } from '../../platform/schema.ts'

/** By what a deploy came. */
export type DeployVia = 'dashboard' | 'command line' | 'token'

/** What whoever deploys says beside the files. */
export interface DeployWish {
  name?: string | undefined
  message?: string | undefined
  via?: DeployVia | undefined
  /** `yes`: visitors see it at once if it has an index.html; `anyway`: also without one; `no`: kept for a preview. */
  publish: 'yes' | 'no' | 'anyway'
}

/**
 * Control characters break terminals; lines are usual in the message of a commit, and so are marks of direction where
 * people write from right to left: no deploy of a pipeline fails for them.
 */
const UNPRINTABLE = /(?![\r\n])[\p{Cc}\p{Cs}]/u
const NAME_CHARACTERS_MAX = 100
const MESSAGE_CHARACTERS_MAX = 1000

export const WishQuery = object({
  name: optional(text({ description: 'What to call the deploy, such as `v2.1`: at most 100 characters.' })),
  message: optional(text({ description: 'What has changed: at most 1000 characters.' })),
  publish: optional(
    oneOf(['yes', 'no', 'anyway'], {
      default: 'yes',
      description:
        '`yes`: shown at once if it has an index.html; `anyway`: also without one; `no`: kept for a preview.',
    }),
  ),
})

/** Out of the query of a request. */
export function readWish(given: Static<typeof WishQuery>, via: DeployVia): DeployWish {
  const { publish = 'yes' } = given
  return {
    name: readText('name', given.name, NAME_CHARACTERS_MAX),
    message: readText('message', given.message, MESSAGE_CHARACTERS_MAX),
    via,
    publish,
  }
}

function readText(field: string, text: string | undefined, charactersMax: number): string | undefined {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') return undefined
  if (trimmed.length <= charactersMax && !UNPRINTABLE.test(trimmed)) return trimmed
  throw invalid(
    `The ${field} of a deploy must be at most ${charactersMax} characters long, without control characters.`,
  )
}

export const HOME = 'index.html'

/** Said before anybody sees the site without its first page; undefined where there is one. */
export function missingHome(hasIndex: boolean, isShown: boolean): string | undefined {
  if (hasIndex) return undefined
  const effect = 'There is no index.html at the top of these files: the address of the site leads to “not found”.'
  return isShown ? effect : `${effect} They are kept for a preview, and not published.`
}
