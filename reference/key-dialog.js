import { announce, h } from './dom.js'
import { icon } from './icons.js'
import { keyProblem } from './key-format.js'
import { madeKeyOffer } from './made-key.js'

/** @import { Session } from './session.js' */

/**
 * The one place where a key is typed, or made by whoever is signed in. Returns the function that opens it.
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
    'aria-describedby': 'key-hint key-problem',
  })
  const problem = h('p', { id: 'key-problem', class: 'hint is-warning', 'aria-live': 'polite' })
  const title = h('h2', { id: 'key-title' })
  const forget = h('button', { type: 'button', class: 'button is-quiet' }, `Forget ${noun}`)
  const use = h('button', { class: 'button is-primary' }, `Use this ${noun}`)
  const cancel = h('button', { type: 'button', class: 'icon-button', 'aria-label': 'Close' }, icon('close'))
  const offer = madeKeyOffer(session, () => dialog.close())
  const form = h(
    'form',
    { class: 'dialog-form', method: 'dialog' },
    h('div', { class: 'dialog-head' }, title, cancel),
    offer.element,
    h('label', { for: 'key-input' }, name),
    input,
    problem,
    h(
      'p',
      { id: 'key-hint', class: 'hint' },
      'Sent with the requests that you try here, and nowhere else. It stays in this tab and is gone when you close it.',
    ),
    h('div', { class: 'dialog-actions' }, forget, use),
  )
  const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'key-title' }, form)
  document.body.append(dialog)

  const typed = () => input.value.trim().replace(/^Bearer\s+/i, '')
  const seenProblem = () => keyProblem(typed(), { noun, serverLabel: session.server().label })
  /** What the service refused: whoever wants to see that answer may use it all the same. */
  let refused = ''
  input.addEventListener('input', () => (problem.textContent = seenProblem()?.sentence ?? ''))
  cancel.addEventListener('click', () => dialog.close())
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const key = typed()
    const seen = seenProblem()
    if (seen?.isFinal) {
      problem.textContent = seen.sentence
      input.select()
      return
    }
    use.disabled = true
    const isRefused = seen === null && key !== '' && key !== refused && (await session.isRefused(key))
    use.disabled = false
    if (isRefused) {
      refused = key
      const why = `${session.server().label} does not take this ${noun}: it was revoked, or has expired.`
      problem.textContent = `${why} Press again to use it all the same.`
      return
    }
    session.setKey(key)
    dialog.close()
    announce(key === '' ? `No ${noun}` : `${name} set`)
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
    problem.textContent = seenProblem()?.sentence ?? ''
    void offer.look()
    dialog.showModal()
    input.select()
  }
}
