import { createPlatform } from '../../../client/src/platform/platform.ts'
import { optionsFor } from './platform.ts'

/** The platform for bodies of any size: tells how many bytes have left this browser, which `fetch` does not. */
export const uploads = (account: string, progress: (bytes: number) => void) =>
  createPlatform({
    ...optionsFor(() => account),
    fetch: (address, { method = 'GET', headers, body, signal } = {}) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted()
        const request = new XMLHttpRequest()
        request.open(method, String(address))
        new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value))
        request.upload.addEventListener('progress', (event) => progress(event.loaded))
        request.addEventListener('load', () => {
          const { status, responseText } = request
          const headers = new Headers(headerLines(request.getAllResponseHeaders()))
          resolve(new Response(responseText || null, { status, headers }))
        })
        request.addEventListener('error', () => reject(new TypeError('The upload failed.')))
        request.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')))
        signal?.addEventListener('abort', () => request.abort(), { once: true })
        request.send(body as File)
      }),
  })

const headerLines = (text: string) =>
  Array.from(text.matchAll(/^([^:\s]+): (.*)$/gm), ([, name = '', value = '']) => [name, value] as [string, string])
