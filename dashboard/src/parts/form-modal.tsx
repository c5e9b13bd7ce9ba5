import { Button, Group, Modal, type ModalProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { type Dispatch, type ReactNode, type RefObject, type SetStateAction, useEffect, useRef, useState } from 'react'
import { mayBeDone, messageOf } from '../api/platform.ts'
import { Form } from './form.tsx'
import { staySignal } from '../stay.ts'
import { giveBackFocus, type Opener } from './give-back-focus.ts'
import { type Secret, showOnce } from './shown-once.tsx'
import { useTimesOpened } from './use-times-opened.ts'
// What a form brings may be shown this once: by then the code for that is here.
import './shown-once-dialog.tsx'

export interface FormModalProps<Draft, Answer> extends Omit<ModalFormProps<Draft, Answer>, keyof Outliving<Draft>> {
  size?: NonNullable<ModalProps['size']>
  opener?: Opener
  /** What was typed goes with the dialog, as a password must. Otherwise only Cancel throws it away. */
  forgetful?: boolean
}

interface ModalFormProps<Draft, Answer> extends Outliving<Draft> {
  opened: boolean
  title: string
  /** What it is about, where others have the same title. */
  subject?: string
  close(): void
  /** The verb on the button. */
  action: string
  dangerous?: boolean
  /** What the fields hold that nobody has typed into, also when it changes meanwhile. */
  initial: Draft
  isComplete?(draft: Draft): boolean
  /** The signal says that the dialog is gone: what is many requests begins no more of them then. */
  send(draft: Draft, gone: AbortSignal): Promise<Answer>
  /** The word on the button that closes the dialog while it is sent; what was sent goes on, as a rule. */
  leave?: string
  /** What the answer alone has. It takes the dialog's place at once, before anything else is asked of the service. */
  secret?(answer: Answer): Secret | undefined
  /**
   * It has been accepted. The dialog closes once this is done, unless it shows the outcome. Whoever has closed it goes
   * on where they are, perhaps with the next one.
   */
  sent?(answer: Answer, draft: Draft, gone: AbortSignal): unknown
  /** In place of the form once it has been accepted; without it the dialog closes. */
  outcome?(answer: Answer): ReactNode
  children(draft: Draft, set: (changed: Partial<Draft>) => void): ReactNode
}

/** What is kept while the dialog is closed. */
interface Outliving<Draft> {
  /** What somebody has typed and not sent: these fields, and no others. */
  typed: RefObject<Partial<Draft> | undefined>
  /** The subject, while the dialog is open and nothing has been sent from it. */
  shown: RefObject<string | undefined>
  underWay: UnderWay<Draft> | undefined
  setUnderWay: Dispatch<SetStateAction<UnderWay<Draft> | undefined>>
}

/** What was sent last and is not answered: of which subject, and with which fields. */
interface UnderWay<Draft> {
  subject: string
  typed: Partial<Draft> | undefined
}

export default function FormModal<Draft, Answer>({
  size = 'md',
  opener,
  forgetful = false,
  ...form
}: FormModalProps<Draft, Answer>) {
  // Outlives the form: Escape, or a click beside it, may be an accident.
  const typed = useRef<Partial<Draft>>(undefined)
  const shown = useRef<string>(undefined)
  const [underWay, setUnderWay] = useState<UnderWay<Draft>>()
  const { opened, title, subject = title, close } = form
  useEffect(() => {
    if (opened) shown.current = subject
    return () => {
      shown.current = undefined
    }
  }, [opened, subject])
  useEffect(() => {
    if (!forgetful || opened) return
    typed.current = undefined
    // Opened again it asks anew: what was sent may hang, and is told by itself.
    setUnderWay(undefined)
  }, [forgetful, opened])
  return (
    <Modal opened={opened} onClose={close} title={title} size={size} {...giveBackFocus(opener)}>
      <ModalForm key={useTimesOpened(opened)} {...form} {...{ typed, shown, underWay, setUnderWay }} />
    </Modal>
  )
}

/** Lives as long as the dialog is open. */
function ModalForm<Draft, Answer>(props: ModalFormProps<Draft, Answer>) {
  const { opened, title, subject = title, close, action, dangerous = false, initial, isComplete, send } = props
  const { leave = 'Close', secret, sent, outcome, children, typed, shown, underWay, setUnderWay } = props
  const [changed, setChanged] = useState(typed.current)
  const draft = changed ? { ...initial, ...changed } : initial
  const gone = useGone(opened)
  const sending = useMutation({
    mutationFn: (sentDraft: Draft) => send(sentDraft, gone()),
    onMutate: () => {
      const mine: UnderWay<Draft> = { subject, typed: typed.current }
      setUnderWay(mine)
      // What was sent before it, and is answered late, takes nothing away.
      shown.current = undefined
      return { mine, stay: staySignal() }
    },
    onSuccess: (answer, sentDraft, { mine, stay }) => {
      // Not for whoever is there now.
      if (stay.aborted) return
      // Whoever has opened it again meanwhile may have typed what comes next, or ask for another.
      const isUnchanged = typed.current === mine.typed
      const isSeenAgain = gone().aborted && isUnchanged && shown.current === mine.subject
      if (!gone().aborted || isUnchanged) typed.current = undefined
      const revealed = secret?.(answer)
      if (isSeenAgain || (revealed && !gone().aborted)) close()
      if (revealed) showOnce(revealed)
      return sent?.(answer, sentDraft, gone())
    },
    onSettled: (_answer, _error, _draft, sent) => setUnderWay((last) => (last === sent?.mine ? undefined : last)),
    // Whoever has closed the dialog meanwhile takes it for done.
    onError: (error, _draft, sent) => {
      if (!gone().aborted || sent?.stay.aborted) return
      const doneText = mayBeDone(error) ? 'Perhaps not done' : 'Not done'
      notifications.show({ color: 'red', title: `${doneText}: ${title}`, message: messageOf(error), autoClose: false })
    },
  })
  // Also by the form that was here before: it is not sent twice.
  const isOnItsWay = sending.isPending || (underWay?.subject === subject && underWay.typed === typed.current)
  if (outcome && sending.isSuccess) return outcome(sending.data)
  const set = (more: Partial<Draft>) => {
    typed.current = { ...typed.current, ...more }
    setChanged(typed.current)
  }
  return (
    <Form
      // Told to this form alone, and not once it is gone: the answer closes no dialog that was opened after it.
      send={() => sending.mutateAsync(draft, { onSuccess: (answer) => outcome?.(answer) || close() })}
      once
      error={sending.error}
      actions={
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            onClick={() => {
              // What is on its way may be refused, and is then to be mended.
              if (!isOnItsWay) typed.current = undefined
              close()
            }}
          >
            {isOnItsWay ? leave : 'Cancel'}
          </Button>
          <Button
            type="submit"
            {...(dangerous ? { color: 'red' } : {})}
            loading={isOnItsWay}
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

/** Aborted as soon as the dialog is closed, or goes with its page. */
function useGone(opened: boolean): () => AbortSignal {
  const gone = useRef(new AbortController())
  useEffect(() => {
    if (!opened) return
    if (gone.current.signal.aborted) gone.current = new AbortController()
    return () => gone.current.abort()
  }, [opened])
  return () => gone.current.signal
}
