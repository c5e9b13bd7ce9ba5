import './palette.css'
import { Combobox, Modal, ScrollArea, TextInput, useCombobox } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { IconSearch } from '../../icons/icons.ts'
import { useTimesOpened } from '../../parts/use-times-opened.ts'
import { matching } from './places.ts'
import { useEntries } from './use-entries.ts'

interface PaletteProps {
  opened: boolean
  close(): void
  showHelp(): void
  /** What was typed before the input had the focus. */
  takeEarly(): string
}

/** Every page, project, animal, domain and action, by a few letters. */
export default function Palette({ opened, ...search }: PaletteProps) {
  const { close } = search
  return (
    <Modal.Root opened={opened} onClose={close} size="lg" yOffset="10dvh">
      <Modal.Overlay backgroundOpacity={0.45} blur={2} />
      <Modal.Content radius="lg" aria-label="Search and commands">
        <Modal.Body p={0}>
          <Search key={useTimesOpened(opened)} {...search} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** Lives as long as the palette is open. */
function Search({ close, showHelp, takeEarly }: Omit<PaletteProps, 'opened'>) {
  const [text, setText] = useState('')
  const [, go] = useLocation()
  const combobox = useCombobox({ opened: true, onDropdownClose: close })
  const groups = useEntries(text, showHelp)
    .map(({ name, entries, isFound = false }) => ({ name, entries: isFound ? entries : matching(entries, text) }))
    .filter(({ entries }) => entries.length > 0)
  const all = groups.flatMap(({ entries }) => entries)
  const first = all[0]?.id
  useEffect(() => {
    combobox.selectFirstOption()
  }, [text, first])

  const addEarly = () => {
    const typed = takeEarly()
    setText((text) => text + typed)
  }
  const choose = (id: string) => {
    const chosen = all.find((entry) => entry.id === id)
    if (!chosen) return
    close()
    if (chosen.href === undefined) chosen.act?.()
    else if (chosen.href.startsWith('/docs/')) open(chosen.href, '_blank', 'noopener')
    else go(chosen.href)
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.EventsTarget>
        <TextInput
          data-autofocus
          className="palette-input"
          size="md"
          variant="unstyled"
          aria-label="Search for a page, project, animal, domain or action"
          placeholder="Search, or type a command"
          leftSection={<IconSearch size={18} aria-hidden="true" />}
          value={text}
          maxLength={255}
          onFocus={addEarly}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <ScrollArea.Autosize mah="55dvh" type="auto" className="palette-list">
        <Combobox.Options aria-label="Found">
          {groups.map(({ name, entries }) => (
            <Combobox.Group key={name} label={name}>
              {entries.map(({ id, label, hint, keys }) => (
                <Combobox.Option key={id} value={id} className="palette-entry">
                  <span className="palette-label">{label}</span>
                  {hint !== undefined && <span className="palette-hint">{hint}</span>}
                  {keys !== undefined && <kbd>{keys}</kbd>}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {all.length === 0 && <Combobox.Empty>Nothing is called so.</Combobox.Empty>}
        </Combobox.Options>
      </ScrollArea.Autosize>
    </Combobox>
  )
}
