import { PEOPLE_SCENES } from './people.ts'
import { PROJECT_SCENES } from './projects.ts'
import type { Given, Scene } from './scene.ts'
import { SITE_SCENES } from './sites.ts'

/** What an operation needs beside a project and its owner. Those that are not named here need nothing. */
export const SCENES: Record<string, Scene> = { ...PEOPLE_SCENES, ...PROJECT_SCENES, ...SITE_SCENES }

/** Operations that cannot succeed here, with the reason and a request whose refusal the document has. */
export const REFUSED: Record<string, { why: string; status: number; given: Given }> = {
  forgotPassword: {
    why: 'needs a mail server',
    status: 404,
    given: { by: null, body: { email: 'somebody@example.com' } },
  },
  askForConfirmation: { why: 'needs a mail server', status: 404, given: {} },
  confirmAddress: { why: 'needs a mail server', status: 410, given: { by: null, body: { token: 'x'.repeat(43) } } },
  signInByPasskey: {
    why: 'needs an authenticator',
    status: 410,
    given: { by: null, body: { ticket: 'x', passkey: '{}' } },
  },
  confirmPasskey: {
    why: 'needs an authenticator',
    status: 410,
    given: { body: { ticket: 'x', passkey: '{}', name: 'Key' } },
  },
  prepareDomain: {
    why: 'needs a zone of the service’s own',
    status: 402,
    given: { body: { hostname: 'www.example.test' } },
  },
}
