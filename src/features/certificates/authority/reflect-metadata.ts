/**
 * The X.509 library registers its algorithms with decorators that store notes through three `Reflect` functions
 * which no runtime has. It never reads type metadata back, so this much is enough and saves a dependency.
 */
interface MetadataReflect {
  getMetadata?: (key: string, target: object) => unknown
  getOwnMetadata?: (key: string, target: object) => unknown
  defineMetadata?: (key: string, value: unknown, target: object) => void
}

const notes = new WeakMap<object, Map<string, unknown>>()
const reflect = Reflect as MetadataReflect

const read = (key: string, target: object) => notes.get(target)?.get(key)

const write = (key: string, value: unknown, target: object) => {
  const existing = notes.get(target) ?? new Map<string, unknown>()
  notes.set(target, existing.set(key, value))
}

reflect.getMetadata ??= read
reflect.getOwnMetadata ??= read
reflect.defineMetadata ??= write
