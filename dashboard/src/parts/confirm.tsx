import type { ReactNode } from 'react'
import { FormDialog, type FormDialogProps } from './form-dialog.tsx'

interface ConfirmProps<Draft, Answer> extends Omit<FormDialogProps<Draft, Answer>, 'initial' | 'children'> {
  /** Of what has to be chosen or typed before. */
  initial?: Draft
  /** What will happen, in a sentence or two. */
  children: ReactNode | FormDialogProps<Draft, Answer>['children']
}

/** Asks once more before something that cannot be taken back. */
export function Confirm<Draft, Answer>({ initial, children, dangerous = true, ...rest }: ConfirmProps<Draft, Answer>) {
  return (
    <FormDialog {...rest} forgetful dangerous={dangerous} initial={initial as Draft}>
      {(draft, set) => (
        <div className="confirm-text">{typeof children === 'function' ? children(draft, set) : children}</div>
      )}
    </FormDialog>
  )
}
