import { invalid } from '../../../platform/errors.ts'

export const PASSWORD_LENGTH_MIN = 12
export const PASSWORD_LENGTH_MAX = 256
const DIFFERENT_CHARACTERS_MIN = 5

/** Length is what counts; beyond it only the passwords that everybody tries first are refused. */
export function parseNewPassword(password: string, email: string): string {
  const length = [...password].length
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    throw invalid(
      `The password must be ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters long: a few words will do.`,
    )
  }
  if (new Set(password).size < DIFFERENT_CHARACTERS_MIN) {
    throw invalid(`The password must have at least ${DIFFERENT_CHARACTERS_MIN} different characters.`)
  }
  const plain = password.trim().toLowerCase()
  if (plain === email) {
    throw invalid('The password must not be made of your e-mail address.')
  }
  return password
}
