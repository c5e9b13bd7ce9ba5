import { request as httpRequest } from 'node:http'
import type { TestPetstore } from '../harness/petstore.ts'
import { undocumented } from './documented.ts'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies whose shape they are there to prove
  json: any
}

export interface Visit {
  method?: string
  /** A value is sent as JSON; text is sent as it is. */
  body?: unknown
  /** `undefined` takes a header away that a browser would send. */
  headers?: Record<string, string | undefined>
  /** Aborts when the page is closed before the answer is there. */
  signal?: AbortSignal
}

/**
 * What a browser is to the management interface: it keeps cookies and says where its requests come from. An answer that
 * the interface's document does not promise fails the test that asked.
 */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #shop: TestPetstore
  readonly #localAddress: string

  constructor(shop: TestPetstore, localAddress = '127.0.0.1') {
    this.#shop = shop
    this.#localAddress = localAddress
  }

  get origin(): string {
    return this.#shop.config.baseUrl.origin
  }

  get = (path: string) => this.send(path)
  post = (path: string, body: unknown = {}) => this.send(path, { method: 'POST', body })
  put = (path: string, body: unknown) => this.send(path, { method: 'PUT', body })
  patch = (path: string, body: unknown) => this.send(path, { method: 'PATCH', body })
  delete = (path: string, body?: unknown) => this.send(path, { method: 'DELETE', body })

  /** `path` is below `/platform/v1`, or begins with the origin, as a Link header does. */
  send(path: string, { method = 'GET', body, headers = {}, signal }: Visit = {}): Promise<Answer> {
    const { baseUrl } = this.#shop.config
    const content = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const all: Record<string, string | undefined> = {
      Host: baseUrl.host,
      'User-Agent': 'Test browser',
      ...(method === 'GET' ? {} : { Origin: baseUrl.origin, 'Sec-Fetch-Site': 'same-origin' }),
      'Content-Type': content === undefined ? undefined : 'application/json',
      'Content-Length': content === undefined ? undefined : String(Buffer.byteLength(content)),
      ...(this.cookies.size === 0 ? {} : { Cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') }),
      ...headers,
    }
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          host: '127.0.0.1',
          port: baseUrl.port,
          localAddress: this.#localAddress,
          path: path.startsWith(baseUrl.origin) ? path.slice(baseUrl.origin.length) : `/platform/v1${path}`,
          method,
          headers: JSON.parse(JSON.stringify(all)) as Record<string, string>,
          ...(signal ? { signal } : {}),
        },
        (response) => {
          const isEndless = response.headers['content-type'] === 'text/event-stream'
          const chunks: Buffer[] = []
          if (isEndless) {
            response.on('error', () => {}).destroy()
            return resolve({
              status: response.statusCode as number,
              headers: response.headers,
              text: '',
              json: undefined,
            })
          }
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            this.#keep(response.headers['set-cookie'] ?? [])
            const text = Buffer.concat(chunks).toString()
            const isJson = response.headers['content-type'] === 'application/json' && text !== ''
            const json = isJson ? JSON.parse(text) : undefined
            const answer = { status: response.statusCode as number, headers: response.headers, text, json }
            const problems = undocumented(method, path, answer)
            if (problems.length === 0) resolve(answer)
            else reject(new Error(problems.join('\n')))
          })
        },
      )
      request.on('error', reject)
      request.end(content)
    })
  }

  #keep(lines: string[]): void {
    for (const line of lines) {
      const [pair = ''] = line.split(';', 1)
      const [name = '', value = ''] = pair.split('=')
      if (/Max-Age=0\b/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
  }
}
