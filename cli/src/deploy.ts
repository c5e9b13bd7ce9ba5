import { openAsBlob } from 'node:fs'
import type { DeployResult, DeployWish, IncompleteDeploy } from '../../client/src/platform/platform.ts'
import { type DirectoryFile, readDirectory } from './deploys/directory.ts'
import { inMegabytes } from './line/bytes.ts'
import { CommandError, defineCommand } from './line/command.ts'
import { patiently } from './remote/patiently.ts'
import { type Server, serverOptions, openServer } from './remote/server.ts'
import { deployMeter } from './line/deploy-meter.ts'
import { json, project } from './line/options.ts'

/** Enough to fill a line that has a long way to the server. */
const SENDING_AT_ONCE = 6
/** A deploy is complete after one round; more are for files that the server lost sight of meanwhile. */
const ROUNDS_MAX = 3

export const command = defineCommand({
  about: `Publishes a directory as the site of a project. Only files that the server does not have yet are sent, and
visitors see all of the new site or all of the old one.`,
  arguments: [{ name: 'DIR', help: 'the directory of the site, with its index.html' }],
  options: {
    project: { ...project, required: true },
    name: { type: 'string', value: 'TEXT', help: 'what to call the deploy, such as v2.1' },
    message: { type: 'string', value: 'TEXT', help: 'what has changed' },
    preview: { type: 'boolean', help: 'publish nothing yet: print where the deploy can be looked at' },
    'without-index': { type: 'boolean', help: 'publish also without an index.html' },
    ...serverOptions,
    json,
  },
  examples: [
    'petstore deploy ./dist --project kennel',
    'petstore deploy ./dist --project kennel --name v2.1 --preview',
    'petstore deploy ./dist --project kennel --server https://pets.example.com --json',
  ],
  async run({ values, arguments: [directory], terminal, clock }) {
    const server = openServer(values)
    const { project: slug } = values
    // Said before anything is read, which may take long; a token that may deploy may ask this.
    await server.call('GET /projects/{project}/deploys', { project: slug })
    const meter = deployMeter(terminal, clock)
    const files = await readDirectory(directory, (file, total) => meter.read(file.bytes, total))

    const sent = { files: 0, bytes: 0 }
    const list = files.map(({ path: at, sha256, bytes }) => ({ path: at, sha256, bytes }))
    for (let round = 1; ; round++) {
      const given = { project: slug, query: wishOf(values), body: { files: list } }
      // What others deploy to the project at the same time may fill its share.
      const answer = await patiently(clock, () => server.call('POST /projects/{project}/deploys', given))
      if (answer.state !== 'incomplete') {
        meter.end()
        const isHeldBack = answer.state === 'kept' && !values.preview
        if (values.json) terminal.printJson({ project: slug, ...answer, sent })
        else terminal.print(summary(answer, slug, sent))
        if (answer.warning) terminal.note(isHeldBack ? `${answer.warning}\n${PUBLISH_ANYWAY}` : answer.warning)
        return isHeldBack ? 1 : 0
      }
      if (round > ROUNDS_MAX) throw new CommandError(TAKEN)
      await sendMissing(server, slug, files, answer.missing, (bytes) => {
        sent.files++
        sent.bytes += bytes
        meter.sent(sent, answer.missing)
      })
    }
  },
})

const TAKEN =
  'Another deploy of this project takes the place of this one while its files are sent: there is no room for the ' +
  'files of both. Run the command again once that one is done.'
const PUBLISH_ANYWAY = 'Deploy the directory that has it, or publish these files all the same with --without-index.'

interface WishOptions {
  name: string | undefined
  message: string | undefined
  preview: boolean | undefined
  'without-index': boolean | undefined
}

function wishOf({ name, message, preview, 'without-index': withoutIndex }: WishOptions): DeployWish {
  return {
    ...(name === undefined ? {} : { name }),
    ...(message === undefined ? {} : { message }),
    publish: preview ? 'no' : withoutIndex ? 'anyway' : 'yes',
  }
}

/** The first file that is not taken stops all: nothing is published without it. */
async function sendMissing(
  server: Server,
  slug: string,
  files: readonly DirectoryFile[],
  missing: IncompleteDeploy['missing'],
  onSent: (bytes: number) => void,
): Promise<void> {
  const byHash = new Map(files.map((file) => [file.sha256, file]))
  const waiting = missing.values()
  const stop = new AbortController()
  const { signal } = stop
  await Promise.all(
    Array.from({ length: SENDING_AT_ONCE }, async () => {
      for (const { sha256, bytes } of waiting) {
        const { file } = byHash.get(sha256) as DirectoryFile
        try {
          const blob = { project: slug, sha256, body: await openAsBlob(file), signal }
          await server.call('PUT /projects/{project}/blobs/{sha256}', blob)
        } catch (error) {
          stop.abort(new CommandError(`${file} was not taken: ${(error as Error).message}`))
        }
        // The first failure, for everyone: the others only fail because they were stopped.
        signal.throwIfAborted()
        onSent(bytes)
      }
    }),
  )
}

function summary(
  { state, deploy, url, preview }: DeployResult,
  slug: string,
  sent: { files: number; bytes: number },
): string {
  const files = deploy.files === 1 ? '1 file' : `${deploy.files} files`
  const these = deploy.files === 1 ? `this ${files}` : `these ${files}`
  if (state === 'unchanged') return `Nothing has changed: ${slug} shows exactly ${these} already, at ${url}`
  const isAllKnown = sent.files === 0
  const what = isAllKnown ? 'all of them known to the server' : `${sent.files} of them sent, ${inMegabytes(sent.bytes)}`
  if (state === 'kept') return `Kept ${files} for ${slug}, not published (${what}). Look at it: ${preview}`
  return `Deployed ${files} to ${slug} (${what}): ${url}`
}
