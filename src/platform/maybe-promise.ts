/** What is there already, or will be. */
export type MaybePromise<Value> = Value | Promise<Value>

/** Goes on in the same turn with what is there, and later with what has to be waited for. */
export function whenThere<Value, Next>(
  value: MaybePromise<Value>,
  goOn: (value: Value) => Next,
): MaybePromise<Awaited<Next>> {
  return (value instanceof Promise ? value.then(goOn) : goOn(value)) as MaybePromise<Awaited<Next>>
}
