import { randomUUID } from 'node:crypto'
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { unavailable } from '../../../platform/errors.ts'
import { inMegabytes, tooLarge } from './limits.ts'

export interface SpooledUpload {
  file: FileHandle
  bytes: number
}

/**
 * Receives an upload into a file that has no name any more by the time the first byte arrives, so that nothing stays
 * behind, not even after a power cut. The bytes live until the handle is closed.
 */
export async function spoolUpload(
  upload: AsyncIterable<Uint8Array>,
  directory: string,
  bytesMax: number,
): Promise<SpooledUpload> {
  const file = await openNameless(directory).catch(refuseForStorage)
  try {
    let bytes = 0
    for await (const chunk of upload) {
      bytes += chunk.byteLength
      if (bytes > bytesMax) throw archiveTooLarge(bytesMax)
      await file.writeFile(chunk).catch(refuseForStorage)
    }
    return { file, bytes }
  } catch (error) {
    await file.close()
    throw error
  }
}

export const archiveTooLarge = (bytesMax: number) =>
  tooLarge(
    `The archive has more than ${inMegabytes(bytesMax)}. Leave out what the site does not need, or upload the ` +
      'folder with “petstore deploy”, which sends only files that are new.',
  )

async function openNameless(directory: string): Promise<FileHandle> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, `upload-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

function refuseForStorage(cause: unknown): never {
  throw unavailable('The server cannot store uploads at the moment. Try again in a minute.', cause, 60)
}
