import type { Routes } from '../../../client/src/platform/platform.ts'

/** The `POST`s that look, sign in or out, or say what is so already. */
const SAME_TWICE: ReadonlySet<string> = new Set<keyof Routes>([
  'POST /links/inspect',
  'POST /projects/{project}/deploys/{deploy}/activate',
  'POST /projects/{project}/domains/{hostname}/live-check',
  'POST /projects/{project}/domains/{hostname}/switch/answers',
  'POST /projects/{project}/domains/{hostname}/switch/comparison',
  'POST /projects/{project}/domains/{hostname}/troubleshoot',
  'POST /projects/{project}/domains/{hostname}/verify',
  'POST /projects/{project}/environments/{environment}/imports/{sha256}',
  'POST /projects/{project}/notifications/read',
  'POST /sandbox/domain-connect/consent',
  'POST /sign-in',
  'POST /sign-in/passkey',
  'POST /sign-in/passkey/options',
  'POST /sign-in/second-step',
  'POST /sign-out',
])

/** Of what may not, a second one would add once more, or be refused for what the first has done. */
export const mayComeTwice = (operation: string) => !operation.startsWith('POST ') || SAME_TWICE.has(operation)
