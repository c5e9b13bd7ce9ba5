import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { invalid } from '../../../platform/errors.ts'

const CHUNK_BYTES = 256 * 1024

/** A file that can be read from any place, as often as needed. */
export interface ImportSource extends AsyncDisposable {
  /** As people know it. */
  readonly name: string
  /** Recognises the same file after it has been mended; undefined for what came through a pipe. */
  readonly path: string | undefined
  readonly bytes: number
  read(from: number, to?: number): AsyncIterable<Buffer>
  /** Throws when the file is no longer what it was when it was opened. */
  requireUnchanged(): Promise<void>
}

/**
 * Opens a file, or whatever a pipe brings. A pipe cannot be read twice, so what it brings is first laid down
 * in `spoolDirectory`, in a file without a name, which is gone when the process is.
 */
export async function openImportSource(
  file: string,
  stdin: AsyncIterable<string | Buffer>,
  spoolDirectory: string,
): Promise<ImportSource> {
  if (file === '-') return asSource(await spool(stdin, spoolDirectory), 'standard input', undefined)
  const path = resolve(file)
  const handle = await open(path, 'r')
  const kind = await handle.stat()
  if (kind.isFile()) return asSource(handle, file, path)
  if (kind.isDirectory()) {
    await handle.close()
    throw invalid(`${file} is a directory: give a file.`)
  }
  return asSource(await spool(handle.createReadStream(), spoolDirectory), file, undefined)
}

async function asSource(handle: FileHandle, name: string, path: string | undefined): Promise<ImportSource> {
  const { size, mtimeMs } = await handle.stat()
  return {
    name,
    path,
    bytes: size,
    read: (from, to = size) => readRange(handle, from, to),
    async requireUnchanged() {
      const now = await handle.stat()
      if (now.size === size && now.mtimeMs === mtimeMs) return
      throw invalid(`${name} was changed while it was read. Run the command again when nobody writes to it any more.`)
    },
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

async function* readRange(handle: FileHandle, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to;) {
    const length = Math.min(CHUNK_BYTES, to - at)
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function spool(stream: AsyncIterable<string | Buffer>, directory: string): Promise<FileHandle> {
  const path = join(directory, `import-${process.pid}.spool`)
  const handle = await open(path, 'wx+', 0o600)
  await unlink(path)
  for await (const chunk of stream) await handle.writeFile(chunk)
  return handle
}
