/**
 * Made when it is first used: a format of the browser's takes a processor four times slower 40 ms and more, and at the
 * top of a file the first picture of every page waits for it.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}
