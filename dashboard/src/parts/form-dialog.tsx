import { useEffect } from 'react'
import type { FormModalProps } from './form-modal.tsx'
import { catchFocus } from './give-back-focus.ts'
import { lateDialog } from './late-dialog.tsx'

export type FormDialogProps<Draft, Answer> = FormModalProps<Draft, Answer>

const FormModal = lateDialog(() => import('./form-modal.tsx')) as typeof import('./form-modal.tsx').default

/** Asks for something, sends it, and says in place why it was refused. */
export function FormDialog<Draft, Answer>(props: FormDialogProps<Draft, Answer>) {
  // What was sent may take this dialog away with the row that it stands in.
  useEffect(() => catchFocus, [])
  return <FormModal {...props} />
}
