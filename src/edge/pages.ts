import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** What the edge says itself when no site can answer: whole pages, made once, with nothing of the request in them. */
export interface Page {
  readonly status: number
  readonly headers: string[]
  readonly body: string
}

export function sendPage(request: IncomingMessage, response: ServerResponse, page: Page): void {
  response.writeHead(page.status, page.headers)
  if (request.method === 'HEAD') response.end()
  else response.end(page.body)
}

const STYLE = `
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #24211c; --quiet: #6b655b; --line: #e4dfd5 }
@media (prefers-color-scheme: dark) { :root { --paper: #1b1a18; --ink: #efebe3; --quiet: #a9a296; --line: #393630 } }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, sans-serif }
main { max-width: 34rem; padding: 2rem; box-sizing: border-box }
h1 { margin: 0 0 .75rem; font-size: 1.75rem; line-height: 1.25 }
p { margin: 0 0 .75rem; color: var(--quiet) }
small { display: block; margin-top: 2rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet) }
`

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const unknownHostPage = makePage(404, 'Nothing is published here', [
  'No project on this server answers to this address.',
  'If the domain is yours, add it in the dashboard under Project settings, Domains, and choose Verify. ' +
    'If it was removed there, it stopped being served at once.',
])

export const noDeployPage = makePage(404, 'Nothing has been deployed yet', [
  'This project exists, but it has no deploy to show.',
  'Its owner can publish one from the dashboard, or with "petstore deploy".',
])

export const suspendedPage = makePage(403, 'This site is suspended', [
  'The operator of this server has stopped it for now.',
  'Its owner finds the reason in the dashboard.',
])

export const notFoundPage = makePage(404, 'Page not found', [
  'This site has no page at this address.',
  'Check the address for typing errors, or start from the front page.',
])

export const badRequestPage = makePage(400, 'This address cannot be read', [
  'The address contains characters or an encoding that no page can have.',
  'Check it for typing errors, or start from the front page.',
])

export const methodNotAllowedPage = makePage(
  405,
  'This site can only be read',
  [
    'Published sites answer GET and HEAD requests.',
    'To change animals or orders, send the request to the API address.',
  ],
  ['Allow', 'GET, HEAD'],
)

export const preconditionFailedPage = makePage(412, 'The page has changed', [
  'The version that was asked for is not the one published now.',
  'Load the page again without conditions.',
])

export const misdirectedPage = makePage(421, 'Wrong connection for this address', [
  'The address asked for differs from the one this connection was opened for, or is no longer served.',
  'Open a new connection to the address.',
])

export const unavailablePage = makePage(
  503,
  'The page cannot be read right now',
  ['The server has trouble reading its storage.', 'Try again in a moment.'],
  ['Retry-After', '1'],
)

/** The sentences are HTML. */
export function makePage(status: number, title: string, sentences: string[], extraHeaders: string[] = []): Page {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${sentences.map((sentence) => `<p>${sentence}</p>`).join('\n')}
<small>Petstore · status ${status}</small>
</main>
</body>
</html>
`
  const headers = [
    'Content-Type',
    'text/html; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(body)),
    'Content-Security-Policy',
    CONTENT_SECURITY_POLICY,
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'no-referrer',
    ...extraHeaders,
  ]
  return { status, headers, body }
}
