import { Button, Group, Modal, type ModalProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { Form } from './form.tsx'
import { giveBackFocus, type Opener } from './give-back-focus.ts'
import { type Secret, showOnce } from './shown-once.tsx'
import { useTimesOpened } from './use-times-opened.ts'
// What a form brings may be shown this once: by then the code for that is here.
import './shown-once-dialog.tsx'

export interface FormModalProps<Draft, Answer> extends Omit<ModalFormProps<Draft, Answer>, 'typed'> {
  opened: boolean
  title: string
  size?: NonNullable<ModalProps['size']>
  opener?: Opener
  /** What was typed goes with the dialog, as a password must. Otherwise only Cancel throws it away. */
  forgetful?: boolean
}

interface ModalFormProps<Draft, Answer> {
  close(): void
  /** The verb on the button. */
  action: string
  dangerous?: boolean
  /** What the fields hold when the dialog opens, unless somebody has begun to type before. */
  initial: Draft
  isComplete?(draft: Draft): boolean
  send(draft: Draft): Promise<Answer>
  /** What the answer alone has. It takes the dialog's place at once, before anything else is asked of the service. */
  secret?(answer: Answer): Secret | undefined
  /** It has been accepted: closes the dialog, as a rule. */
  sent?(answer: Answer, draft: Draft): unknown
  /** In place of the form once it has been accepted. */
  outcome?(answer: Answer): ReactNode
  children(draft: Draft, set: (changed: Partial<Draft>) => void): ReactNode
  /** What somebody has typed and not sent. */
  typed: RefObject<Draft | undefined>
}

export default function FormModal<Draft, Answer>({
  opened,
  title,
  size = 'md',
  opener,
  forgetful = false,
  ...form
}: FormModalProps<Draft, Answer>) {
  // Outlives the form: Escape, or a click beside it, may be an accident.
  const typed = useRef<Draft>(undefined)
  useEffect(() => {
    if (forgetful && !opened) typed.current = undefined
  }, [forgetful, opened])
  return (
    <Modal opened={opened} onClose={form.close} title={title} size={size} {...giveBackFocus(opener)}>
      <ModalForm key={useTimesOpened(opened)} {...form} typed={typed} />
    </Modal>
  )
}

/** Lives as long as the dialog is open. */
function ModalForm<Draft, Answer>(props: ModalFormProps<Draft, Answer>) {
  const { close, action, dangerous = false, initial, isComplete, send, secret, sent, outcome, children, typed } = props
  const [draft, setDraft] = useState(typed.current ?? initial)
  const sending = useMutation({
    mutationFn: send,
    onSuccess: (answer, sentDraft) => {
      typed.current = undefined
      const shown = secret?.(answer)
      if (shown) {
        close()
        showOnce(shown)
      }
      return sent?.(answer, sentDraft)
    },
  })
  if (outcome && sending.isSuccess) return outcome(sending.data)
  const set = (changed: Partial<Draft>) => {
    typed.current = { ...(typed.current ?? initial), ...changed }
    setDraft(typed.current)
  }
  return (
    <Form
      send={() => sending.mutateAsync(draft)}
      once
      error={sending.error}
      actions={
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            onClick={() => {
              typed.current = undefined
              close()
            }}
          >
            Cancel
          </Button>
          <Button
            type="submit"
            {...(dangerous ? { color: 'red' } : {})}
            loading={sending.isPending}
            disabled={isComplete?.(draft) === false}
          >
            {action}
          </Button>
        </Group>
      }
    >
      {children(draft, set)}
    </Form>
  )
}
