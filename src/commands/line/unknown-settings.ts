import { closest } from '../../../cli/src/line/closest.ts'
import { SETTING_NAMES } from '../../config.ts'

/** A sentence for each name that stands among the settings and means nothing: mistyped, most likely. */
export function unknownSettings(names: readonly string[]): string[] {
  return names.map((name) => {
    const meant = closest(name.toUpperCase(), SETTING_NAMES)
    const hint = meant ? `Did you mean ${meant}?` : 'docs/operating.md lists the settings.'
    return `${name} is no setting, and changes nothing. ${hint}`
  })
}
