import { announce, h } from './dom.js'
import { icon } from './icons.js'
import { keyMismatch } from './session.js'

/** @import { Session } from './session.js' */

/**
 * The one place where a key is typed. Returns the function that opens it.
 *
 * @type {(session: Session) => () => void}
 */
export function keyDialog(session) {
  const { noun, title: name, hint: placeholder } = session.access
  const input = h('input', {
    id: 'key-input',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    autocapitalize: 'off',
    placeholder,
    'aria-describedby': 'key-hint key-mismatch',
  })
  const mismatch = h('p', { id: 'key-mismatch', class: 'hint is-warning', 'aria-live': 'polite' })
  const title = h('h2', { id: 'key-title' })
  const forget = h('button', { type: 'button', class: 'button is-quiet' }, `Forget ${noun}`)
  const cancel = h('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close' }, icon('close'))
  const form = h(
    'form',
    { class: 'dialog-form', method: 'dialog' },
    h('div', { class: 'dialog-head' }, title, cancel),
    h('label', { for: 'key-input' }, name),
    input,
    mismatch,
    h(
      'p',
      { id: 'key-hint', class: 'hint' },
      'Sent with the requests that you try here, and nowhere else. It stays in this tab and is gone when you close it.',
    ),
    h('div', { class: 'dialog-actions' }, forget, h('button', { class: 'button is-primary' }, `Use this ${noun}`)),
  )
  const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'key-title' }, form)
  document.body.append(dialog)

  const showMismatch = () => (mismatch.textContent = keyMismatch(input.value.trim(), session.server().label) ?? '')
  input.addEventListener('input', showMismatch)
  cancel.addEventListener('click', () => dialog.close())
  form.addEventListener('submit', () => {
    session.setKey(input.value.trim().replace(/^Bearer\s+/i, ''))
    announce(session.key() === '' ? `No ${noun}` : `${name} set`)
  })
  forget.addEventListener('click', () => {
    session.setKey('')
    dialog.close()
    announce(`${name} forgotten`)
  })
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close())

  return function openKeyDialog() {
    title.textContent = `${name} for ${session.server().label}`
    input.value = session.key()
    forget.hidden = session.key() === ''
    showMismatch()
    dialog.showModal()
    input.select()
  }
}
