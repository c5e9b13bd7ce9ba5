import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { IconSearch } from '../icons/icons.ts'

const PAUSE_MS = 200

interface SearchFieldProps extends Pick<TextInputProps, 'placeholder' | 'inputMode' | 'error' | 'w' | 'flex' | 'miw'> {
  label: string
  /** What the list shows now. */
  value: string
  search(text: string): void
  withIcon?: boolean
}

/** Asks while somebody types, a moment after the last letter. */
export function SearchField({ label, value, search, withIcon = false, ...rest }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const asked = useRef(value)
  const ask = useDebouncedCallback((wanted: string) => {
    asked.current = wanted
    search(wanted)
  }, PAUSE_MS)
  // Back, or a link: what this field has asked for itself may already be behind what is being typed.
  useEffect(() => {
    if (value === asked.current) return
    asked.current = value
    setText(value)
  }, [value])

  const type = (typed: string) => {
    setText(typed)
    ask(typed.trim())
  }
  return (
    <TextInput
      size="xs"
      type="text"
      aria-label={label}
      maxLength={255}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      leftSection={withIcon && <IconSearch size={15} aria-hidden="true" />}
      rightSection={text !== '' && <CloseButton size="xs" aria-label={`Clear: ${label}`} onClick={() => type('')} />}
      {...rest}
    />
  )
}
