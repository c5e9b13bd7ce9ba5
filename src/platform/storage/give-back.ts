/**
 * Frees the memory of bytes that nobody reads any more, neither here nor in a write that is under way: it is gone at
 * once. Large contents are old when they are done with, so that only full collections would find them, and V8 starts
 * one for every 64 MB of them: several in a second, for each of which everybody waits. Bytes that share their memory
 * with others stay.
 */
export function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0)
}
