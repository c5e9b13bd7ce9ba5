import { PasswordInput } from '@mantine/core'

/** Asked for before what a borrowed browser must not be able to do. */
export function CurrentPassword({ value, set }: { value: string; set(value: string): void }) {
  return (
    <PasswordInput
      label="Your password"
      autoComplete="current-password"
      required
      data-autofocus
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}
