/** @import { Session } from './session.js' */
import { announce, h } from './dom.js'
import { icon } from './icons.js'
import { makeTestKey, whoIsSignedIn } from './signed-in.js'

/**
 * Offers whoever is signed in a key of their own project, in staging, for an hour. Hidden for everybody else, and where
 * the session itself counts, as for the management interface.
 *
 * @type {(session: Session, taken: () => void) => { element: HTMLElement, look: () => Promise<void> }}
 */
export function madeKeyOffer(session, taken) {
  const staging = session.servers.findIndex(({ label }) => label === 'Staging')
  const who = h('p', { class: 'hint' })
  const project = h('select', { 'aria-label': 'Project' })
  const make = h('button', { type: 'button', class: 'button' }, icon('key'), 'Make a test key')
  const failure = h('p', { class: 'hint is-warning', 'aria-live': 'polite' })
  const element = h(
    'div',
    { class: 'made-key', hidden: true },
    who,
    h('div', { class: 'made-key-line' }, project, make),
    failure,
  )
  make.addEventListener('click', async () => {
    make.disabled = true
    failure.textContent = ''
    try {
      const key = await makeTestKey(project.value)
      session.chooseServer(staging)
      session.setKey(key)
      taken()
      announce('A key for Staging was made and is set')
    } catch (error) {
      failure.textContent = error instanceof Error ? error.message : 'No key was made.'
    }
    make.disabled = false
  })

  return {
    element,
    async look() {
      const signedIn = session.access.session === null && staging !== -1 ? await whoIsSignedIn() : null
      element.hidden = signedIn === null
      if (signedIn === null) return
      const offer = 'a key of your project for Staging, which ends by itself in an hour.'
      who.textContent = `Signed in as ${signedIn.name}: ${offer}`
      const chosen = project.value
      project.replaceChildren(...signedIn.projects.map(({ slug, name }) => h('option', { value: slug }, name)))
      if (signedIn.projects.some(({ slug }) => slug === chosen)) project.value = chosen
      project.hidden = signedIn.projects.length === 1
    },
  }
}
