import { errorOf, API } from './request.ts'
import { unreachable } from './api-error.ts'
import { parseJson } from './exact-json.ts'

interface UploadOptions {
  method: 'POST' | 'PUT'
  body: Blob
  type: string
  signal: AbortSignal
  /** Bytes that have left this browser. */
  progress(bytes: number): void
}

/** A body of any size with its progress, which `fetch` does not tell. */
export function upload<Value>(path: string, { method, body, type, signal, progress }: UploadOptions): Promise<Value> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, API + path)
    request.setRequestHeader('Content-Type', type)
    request.upload.addEventListener('progress', (event) => progress(event.loaded))
    request.addEventListener('load', () => {
      const { status, responseText } = request
      if (status >= 200 && status < 300)
        return resolve((responseText === '' ? undefined : parseJson(responseText)) as Value)
      reject(errorOf(status, responseText, request.getResponseHeader('X-Request-Id')))
    })
    request.addEventListener('error', () => reject(unreachable()))
    request.addEventListener('abort', () => reject(new DOMException('The upload was cancelled.', 'AbortError')))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}
