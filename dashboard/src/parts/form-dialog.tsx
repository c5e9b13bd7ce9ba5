import { Button, Group, Modal, type ModalProps } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Form } from './form.tsx'
import { catchFocus, giveBackFocus, type Opener } from './give-back-focus.ts'

export interface FormDialogProps<Draft, Answer> extends DialogFormProps<Draft, Answer> {
  opened: boolean
  title: string
  size?: NonNullable<ModalProps['size']>
  opener?: Opener
}

interface DialogFormProps<Draft, Answer> {
  close(): void
  /** The verb on the button. */
  action: string
  dangerous?: boolean
  /** What the fields hold when the dialog opens, each time anew. */
  initial: Draft
  isComplete?(draft: Draft): boolean
  send(draft: Draft): Promise<Answer>
  /** It has been accepted: closes the dialog, as a rule. */
  sent?(answer: Answer, draft: Draft): unknown
  /** In place of the form once it has been accepted. */
  outcome?(answer: Answer): ReactNode
  children(draft: Draft, set: (changed: Partial<Draft>) => void): ReactNode
}

/** Asks for something, sends it, and says in place why it was refused. */
export function FormDialog<Draft, Answer>({
  opened,
  title,
  size = 'md',
  opener,
  ...form
}: FormDialogProps<Draft, Answer>) {
  // What was sent may take this dialog away with the row that it stands in.
  useEffect(() => catchFocus, [])
  return (
    <Modal opened={opened} onClose={form.close} title={title} size={size} {...giveBackFocus(opener)}>
      <DialogForm {...form} />
    </Modal>
  )
}

/** Lives as long as the dialog is open. */
function DialogForm<Draft, Answer>(props: DialogFormProps<Draft, Answer>) {
  const { close, action, dangerous = false, initial, isComplete, send, sent, outcome, children } = props
  const [draft, setDraft] = useState(initial)
  const sending = useMutation({ mutationFn: send, onSuccess: (answer, sentDraft) => sent?.(answer, sentDraft) })
  if (outcome && sending.isSuccess) return outcome(sending.data)
  return (
    <Form
      send={() => sending.mutate(draft)}
      error={sending.error}
      actions={
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
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
      {children(draft, (changed) => setDraft((known) => ({ ...known, ...changed })))}
    </Form>
  )
}
