import { createHash, randomUUID } from 'node:crypto'
import { conflict, invalid } from '../../platform/errors.ts'
import { readArchive, type ArchiveFile } from './archive/archive.ts'
import { giveBack } from '../../platform/storage/give-back.ts'
import { makeWay } from '../../platform/thread/make-way.ts'
import { storeBlob } from './files/blobs.ts'
import type { Pack } from './files/encodings.ts'
import { commitDeploy, type Deployer, type DeployOutcome, type DeployNeeds, directoryHolder } from './deploys.ts'
import { abandonUpload } from './garbage.ts'
import { DEPLOY_LIMITS, inMegabytes, tooLarge } from './archive/limits.ts'
import { planManifest, type PlannedFile, sha256Hex } from './files/manifest.ts'
import { sumHolds } from './queries.ts'
import type { UploadGate } from './upload-gate.ts'
import type { DeployWish } from './wish.ts'

export interface UploadNeeds extends DeployNeeds {
  /** Where archives wait, without a name, while they are read. */
  spoolDirectory: string
  gate: UploadGate
  pack: Pack
}

/** Whoever sends files, which takes places and memory. */
export interface Uploader extends Deployer {
  /** Of the person, or of whoever has made the token. */
  accountId: string
}

/** Files that are compressed and stored at once: enough to share commits, and still little memory. */
const BATCH_FILES_MAX = 16
const BATCH_BYTES_MAX = 4_000_000

/** Deploys a whole archive: all of it, or nothing of it is left. */
export function deployArchive(
  needs: UploadNeeds,
  deployer: Uploader,
  upload: AsyncIterable<Uint8Array>,
  wish?: DeployWish,
): Promise<DeployOutcome> {
  return needs.gate.run({ ...deployer, announcedBytes: 0 }, () => storeArchive(needs, deployer, upload, wish))
}

async function storeArchive(
  needs: UploadNeeds,
  deployer: Uploader,
  upload: AsyncIterable<Uint8Array>,
  wish: DeployWish | undefined,
): Promise<DeployOutcome> {
  const holder = `archive ${randomUUID()}`
  let outcome: DeployOutcome | undefined
  try {
    const files = await storeContents(needs, deployer, holder, upload)
    const manifest = await planManifest(files, needs.contentTypeOf)
    outcome = await commitDeploy(needs, deployer, { manifest, source: 'archive', holder, wish })
    return outcome
  } finally {
    // Should this fail as well, the holds expire and the collector comes by.
    if (outcome?.kind !== 'deployed' && outcome?.kind !== 'kept') await abandonUpload(needs, holder).catch(() => {})
  }
}

/** A batch at a time, each in a turn of its own. */
async function storeContents(
  needs: UploadNeeds,
  { accountId }: Uploader,
  holder: string,
  upload: AsyncIterable<Uint8Array>,
): Promise<PlannedFile[]> {
  const { spoolDirectory, gate } = needs
  let turn: Disposable | undefined
  const whenPlanned = async () => {
    turn = await gate.unpacking.take(accountId)
  }
  try {
    const files: PlannedFile[] = []
    const known = new Set<string>()
    for await (const batch of inBatches(readArchive(upload, { spoolDirectory, whenPlanned }))) {
      files.push(...(await storeFiles(needs, holder, batch, known)))
      // Until the next turn, which may be far off, the walk would hold on to them.
      for (const { bytes } of batch) giveBack(bytes)
      turn?.[Symbol.dispose]()
      turn = await gate.unpacking.take(accountId)
    }
    return files
  } finally {
    turn?.[Symbol.dispose]()
  }
}

/** Stores the contents that are not in `known` yet, and says which files they belong to. */
export async function storeFiles(
  needs: Pick<UploadNeeds, 'storage' | 'clock'> & { pack?: Pack },
  holder: string,
  files: readonly ArchiveFile[],
  known = new Set<string>(),
): Promise<PlannedFile[]> {
  const hashed = await Promise.all(
    files.map(async ({ path, bytes }) => ({ path, content: bytes, sha256: await sha256Hex(bytes) })),
  )
  const unknown = new Map(hashed.filter(({ sha256 }) => !known.has(sha256)).map((file) => [file.sha256, file]))
  await Promise.all(Array.from(unknown.values(), (file) => storeBlob(needs, holder, file)))
  for (const sha256 of unknown.keys()) known.add(sha256)
  return hashed.map(({ path, sha256, content }) => ({ path, sha256, bytes: content.length }))
}

async function* inBatches(files: AsyncIterable<ArchiveFile>): AsyncGenerator<ArchiveFile[]> {
  let batch: ArchiveFile[] = []
  let bytes = 0
  for await (const file of files) {
    batch.push(file)
    bytes += file.bytes.length
    if (batch.length < BATCH_FILES_MAX && bytes < BATCH_BYTES_MAX) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

/** One content of a directory that is about to be deployed. */
export async function receiveBlob(
  needs: UploadNeeds,
  { projectId, accountId }: Pick<Uploader, 'projectId' | 'accountId'>,
  announced: { sha256: string; bytes: number },
  upload: AsyncIterable<Uint8Array>,
): Promise<void> {
  const { sha256, bytes } = announced
  if (!/^[0-9a-f]{64}$/.test(sha256)) {
    throw invalid('A file is named by the 64 lower-case hexadecimal digits of its SHA-256.')
  }
  if (!Number.isSafeInteger(bytes) || bytes < 0) {
    throw invalid('The size of the file is not known: send Content-Length.')
  }
  if (bytes > DEPLOY_LIMITS.fileBytesMax) {
    throw tooLarge(`The file is larger than ${inMegabytes(DEPLOY_LIMITS.fileBytesMax)}. Make it smaller.`)
  }
  const holder = directoryHolder(projectId)
  const held = await sumHolds(needs.storage.read, holder)
  if (held.blobs >= DEPLOY_LIMITS.entriesMax || held.bytes + bytes > DEPLOY_LIMITS.inflatedBytesMax) {
    throw conflict(
      'This project has more files waiting to be deployed than a deploy may hold: another deploy is on its way, or ' +
        'was given up. Once the other one is done, begin yours again: sending its list of files makes room for them.',
    )
  }
  await needs.gate.run({ projectId, accountId, announcedBytes: bytes }, async (keep) => {
    const { content, hash } = await receive(upload, bytes, keep)
    try {
      if (hash !== sha256) {
        throw invalid('The file that arrived is not the one that was announced: its SHA-256 differs. Send it again.')
      }
      await storeBlob(needs, holder, { sha256, content })
    } finally {
      giveBack(content)
    }
  })
}

/**
 * In a buffer of its own, which grows with what arrives: what is only announced takes no memory. It is hashed piece by
 * piece, as `sha256Hex` does it.
 */
async function receive(
  upload: AsyncIterable<Uint8Array>,
  bytes: number,
  keep: (bytes: number) => void,
): Promise<{ content: Uint8Array; hash: string }> {
  let content: Buffer = Buffer.alloc(0)
  let received = 0
  const hash = createHash('sha256')
  try {
    for await (const chunk of upload) {
      const end = received + chunk.length
      if (end > bytes) throw invalid('More bytes arrived than Content-Length announced.')
      keep(chunk.length)
      if (end > content.length) content = grown(content, Math.min(bytes, 2 * end))
      content.set(chunk, received)
      hash.update(chunk)
      received = end
      await makeWay(chunk.length)
    }
    if (received < bytes) throw invalid('Fewer bytes arrived than Content-Length announced.')
    return { content, hash: hash.digest('hex') }
  } catch (error) {
    giveBack(content)
    throw error
  }
}

/** Without zeros, which would cost as much as what then takes their place. */
function grown(content: Buffer, bytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(bytes)
  content.copy(larger)
  giveBack(content)
  return larger
}
