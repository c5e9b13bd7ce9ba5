import { FairPlaces } from '../../../platform/thread/fair-places.ts'
import { makeWay, PIECE_BYTES } from '../../../platform/thread/make-way.ts'
import { Thread } from '../../../platform/thread/thread.ts'
import { type Pack, packInPool, type Packed } from './encodings.ts'

export interface Packer extends AsyncDisposable {
  readonly pack: Pack
}

/**
 * Compresses what people upload on a thread of its own, which requests come before. On the threads that Node has for
 * such things, a megabyte of text kept everybody who shares the core waiting for tens of milliseconds, and brotli's
 * memory, of which Node tells V8 there, brought a full collection of garbage with each file.
 */
export function openPacker(onError: (error: unknown) => void): Packer {
  const thread = new Thread<Uint8Array, Packed>({
    module: new URL('./packing-thread.ts', import.meta.url),
    purpose: 'compressions of files',
    pendingMax: 1,
    timeoutMs: HANGS_AFTER_MS,
    heapMegabytes: HEAP_MB,
    onError,
  })
  const places = new FairPlaces(1)
  return {
    /** One after the other, so that one copy at most is on its way, and one of each who waits. */
    async pack(content, whose) {
      if (content.byteLength <= SMALL_BYTES) return packInPool(content)
      using _place = await places.take(whose)
      const copy = await copyOf(content)
      return await thread.run(copy, [copy.buffer])
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}

async function copyOf(content: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(content.byteLength)
  for (let at = 0; at < content.byteLength; at += PIECE_BYTES) {
    const piece = content.subarray(at, at + PIECE_BYTES)
    copy.set(piece, at)
    await makeWay(piece.byteLength)
  }
  return copy
}

/** Packed in half a millisecond, and the way to the thread and back takes as long. */
const SMALL_BYTES = 16 * 1024

/**
 * V8 collects in full whenever what lies outside of a heap is more than half of what the heap may be, and brotli alone
 * needs 9 to 12 MB: with 32 that was once for each file of a megabyte, a tenth of the time that packing it takes.
 */
const HEAP_MB = 48

/** The largest file takes two seconds of a processor that has nothing else to do. */
const HANGS_AFTER_MS = 300_000
