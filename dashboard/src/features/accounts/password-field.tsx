import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../../../src/features/accounts/passwords/password-rules.ts'
import { countText } from '../../parts/count-text.ts'

interface NewPasswordProps extends Omit<PasswordInputProps, 'value' | 'onChange'> {
  value: string
  onChange(value: string): void
}

/** For a password that is chosen now. */
export function NewPasswordField({ value, onChange, ...rest }: NewPasswordProps) {
  const missing = PASSWORD_LENGTH_MIN - [...value].length
  const hint =
    value !== '' && missing > 0
      ? `${countText(missing, 'more character')} to go: a few words are easy to remember.`
      : `At least ${PASSWORD_LENGTH_MIN} characters: a few words are easy to remember.`
  return (
    <PasswordInput
      label="Password"
      description={hint}
      autoComplete="new-password"
      required
      minLength={PASSWORD_LENGTH_MIN}
      maxLength={PASSWORD_LENGTH_MAX}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...rest}
    />
  )
}
