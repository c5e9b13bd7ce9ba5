import type { EventType, FetchedMessage } from '../../client/src/platform/platform.ts'
import { defineCommand, UsageError } from './line/command.ts'
import { environment, json, project } from './line/options.ts'
import { listenForStop } from './line/stop-signals.ts'
import type { Terminal } from './line/terminal.ts'
import { type Server, serverOptions, openServer } from './remote/server.ts'

const WAIT_SECONDS = 20
const FORWARD_TIMEOUT_MS = 15_000
/** All of them are forwarded before a receiver refuses their signatures, which it does after five minutes. */
const MESSAGES_AT_ONCE = 5

export const command = defineCommand({
  about: `Forwards the events of a project to an address on this machine, signed as webhooks are, and prints each with
its answer. Nobody has to reach this machine: the command asks. It ends with Ctrl-C; what happens later is not kept.`,
  arguments: [],
  options: {
    project: { ...project, required: true },
    forward: { type: 'string', value: 'ADDRESS', help: 'where to, such as http://localhost:3000', required: true },
    events: { type: 'string', value: 'EVENTS', help: 'only these, such as pet.created,order.created' },
    environment: { ...environment },
    ...serverOptions,
    json: { ...json, help: 'print the secret, and then each event, as a line of JSON' },
  },
  examples: [
    'petstore listen --project kennel --forward http://localhost:3000/hooks',
    'petstore listen --project kennel --forward http://localhost:3000 --events pet.created --environment staging',
  ],
  async run({ values, terminal, clock }) {
    const { project: slug, forward, environment: of } = values
    if (!URL.canParse(forward) || !/^https?:$/.test(new URL(forward).protocol)) {
      throw new UsageError(`--forward is "${forward}", but must be an address such as http://localhost:3000.`)
    }
    const server = openServer(values)
    const events = values.events?.split(',').map((type) => type.trim() as EventType)
    const { id, secret } = await server.call('POST /projects/{project}/listeners', {
      project: slug,
      body: { ...(events ? { events } : {}), ...(of ? { environment: of } : {}) },
    })
    const stop = listenForStop(clock)
    const ending = new AbortController()
    void stop.asked.then(() => ending.abort())
    // The secret is told nowhere else; programs read it from the first line.
    if (values.json) terminal.print(JSON.stringify({ listening: true, secret }))
    else terminal.note(`Listening. Verify with the secret ${secret}`)
    try {
      await forwardAll(
        { server, terminal, slug, listener: id, url: new URL(forward).href, json: values.json },
        ending.signal,
      )
    } finally {
      stop.done()
      await server.call('DELETE /projects/{project}/listeners/{listener}', { project: slug, listener: id })
    }
  },
})

interface Forwarding {
  server: Server
  terminal: Terminal
  slug: string
  listener: string
  url: string
  json: boolean
}

/** In the order in which they are given, which is that of each thing. */
async function forwardAll(of: Forwarding, signal: AbortSignal): Promise<void> {
  const { server, slug: project, listener } = of
  while (!signal.aborted) {
    const query = { wait: WAIT_SECONDS, limit: MESSAGES_AT_ONCE }
    const asked = { project, listener, query, signal }
    const messages = await server
      .call('GET /projects/{project}/listeners/{listener}/messages', asked)
      .catch((error: unknown) => {
        if (signal.aborted) return []
        throw error
      })
    for (const message of messages) {
      if (!signal.aborted) await forwardOne(of, message)
    }
  }
}

async function forwardOne(
  { server, terminal, slug, listener, url, json: asJson }: Forwarding,
  message: FetchedMessage,
) {
  const startedAt = performance.now()
  let status: number | undefined
  let error: string | undefined
  try {
    const { headers, body } = message
    const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    status = response.status
    await response.body?.cancel()
  } catch (failure) {
    const { message: why, cause } = failure as Error & { cause?: { code?: string } }
    error = cause?.code ?? why
  }
  const durationMs = Math.round(performance.now() - startedAt)
  const result = {
    url,
    durationMs,
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
  }
  await server.call('POST /projects/{project}/listeners/{listener}/messages/{message}', {
    project: slug,
    listener,
    message: message.id,
    body: result,
  })
  if (asJson) return terminal.printJson({ id: message.id, type: message.type, ...result })
  const isTaken = status !== undefined && status < 300
  const answer = terminal.style(isTaken ? 'green' : 'red', String(status ?? error))
  terminal.print(`${answer}  ${message.type.padEnd(20)} ${durationMs} ms  ${message.id}`)
}
