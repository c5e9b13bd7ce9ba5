import './palette.css'
import { Modal, Stack, Switch, Title } from '@mantine/core'
import { useState } from 'react'
import { placesOf, type Visible } from './places.ts'
import { areKeysOn, switchKeys } from './single-keys.ts'

interface ShortcutsSheetProps {
  opened: boolean
  close(): void
  visible: Visible
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

const ANYWHERE = [
  [isApple ? '⌘ K' : 'Ctrl K', 'Search for anything, or do it'],
  ['?', 'This sheet'],
  ['e', 'The other environment'],
  ['Esc', 'Close what is open'],
] as const

const IN_LISTS = [
  ['/', 'Search in the list'],
  ['n', 'Add something new'],
  ['Tab', 'To the next field, row or button'],
  ['Space', 'Choose the row'],
  ['Enter', 'Open, or save what is edited'],
] as const

export default function ShortcutsSheet({ opened, close, visible }: ShortcutsSheetProps) {
  const [isOn, setIsOn] = useState(areKeysOn)
  const places = placesOf(visible).flatMap(({ key, label }) =>
    key === undefined ? [] : [[`g ${key}`, label] as const],
  )
  return (
    <Modal opened={opened} onClose={close} title="Keyboard shortcuts" size="lg">
      <Stack gap="lg">
        <div className="shortcut-groups">
          <Group title="Anywhere" keys={ANYWHERE} />
          <Group title="In lists" keys={IN_LISTS} />
          <Group title="Go to" keys={places} />
        </div>
        <Switch
          label="Shortcuts of single letters"
          description="Switch them off where keys are pressed that nobody meant."
          checked={isOn}
          onChange={(event) => {
            switchKeys(event.currentTarget.checked)
            setIsOn(event.currentTarget.checked)
          }}
        />
      </Stack>
    </Modal>
  )
}

function Group({ title, keys }: { title: string; keys: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <Title order={3} mb="xs">
        {title}
      </Title>
      <dl className="shortcuts">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>{does}</dt>
            <dd>
              {key.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
