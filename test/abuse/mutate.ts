import type { Random } from '../campaign/random.ts'

/** What inputs are made from. */
export interface Material {
  readonly seeds: readonly Buffer[]
  /** Pieces that mean something to the parser, put in where they do not belong. */
  readonly words: readonly (string | Buffer)[]
  /** Well formed and wrong; half of the inputs where there is one. */
  generate?(random: Random): Buffer
}

/** One in eight comes from nothing; the others are a valid one with a few things wrong. */
export function hostileInput(random: Random, material: Material): Buffer {
  const { seeds, words } = material
  if (material.generate && random.below(2) === 0) return material.generate(random)
  if (random.below(8) === 0) return fromNothing(random, words)
  let bytes: Buffer = Buffer.from(random.pick(seeds))
  for (let left = 1 + random.below(4); left > 0; left--) bytes = random.pick(MUTATIONS)(bytes, random, { seeds, words })
  return bytes.subarray(0, BYTES_MAX)
}

/**
 * Every valid one with a long run of one thing at any place, or at some sixteen where it is long itself; and the same
 * with an end that nothing expects, for which a pattern goes back over the run.
 */
export function* longRuns({ seeds, words }: Material, bytes: number): Generator<Buffer> {
  for (const seed of seeds) {
    for (const word of new Set([...words, ...REPEATED])) {
      const run = Buffer.alloc(bytes, word)
      for (let at = 0; at <= seed.length; at += Math.max(1, Math.ceil(seed.length / PLACES_MAX))) {
        yield Buffer.concat([seed.subarray(0, at), run, seed.subarray(at)])
        yield Buffer.concat([seed.subarray(0, at), run, UNEXPECTED])
      }
    }
  }
}

type Mutation = (bytes: Buffer, random: Random, material: Material) => Buffer

const MUTATIONS: readonly Mutation[] = [
  (bytes, random) => {
    if (bytes.length > 0) bytes[random.below(bytes.length)]! ^= 1 << random.below(8)
    return bytes
  },
  (bytes, random) => {
    if (bytes.length > 0) bytes[random.below(bytes.length)] = random.pick(BYTES)
    return bytes
  },
  // Lengths, counts and positions are two or four bytes in every format here, in either order.
  (bytes, random) => {
    const width = random.pick([2, 4])
    if (bytes.length < width) return bytes
    const at = random.below(bytes.length - width + 1)
    const value = random.pick(NUMBERS) % 256 ** width
    if (random.below(2) === 0) bytes.writeUIntBE(value, at, width)
    else bytes.writeUIntLE(value, at, width)
    return bytes
  },
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  (bytes, random) => without(bytes, ...range(bytes, random)),
  // The same again, up to sixteen times.
  (bytes, random) => {
    const [start, end] = range(bytes, random)
    const again = Array.from({ length: 1 + random.below(16) }, () => bytes.subarray(start, end))
    return Buffer.concat([bytes.subarray(0, end), ...again, bytes.subarray(end)])
  },
  (bytes, random, { words }) => inserted(bytes, random, Buffer.from(random.pick(words))),
  (bytes, random) => inserted(bytes, random, randomBytes(random, 1 + random.below(16))),
  // The beginning of one and the end of another.
  (bytes, random, { seeds }) => {
    const other = random.pick(seeds)
    return Buffer.concat([
      bytes.subarray(0, random.below(bytes.length + 1)),
      other.subarray(random.below(other.length)),
    ])
  },
]

function fromNothing(random: Random, words: Material['words']): Buffer {
  if (random.below(2) === 0) return randomBytes(random, random.below(200))
  return Buffer.concat(Array.from({ length: random.below(30) }, () => Buffer.from(random.pick(words))))
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)))
}

function range(bytes: Buffer, random: Random): [number, number] {
  const start = random.below(bytes.length + 1)
  return [start, start + random.below(Math.min(64, bytes.length - start) + 1)]
}

const without = (bytes: Buffer, start: number, end: number) =>
  Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)])

function inserted(bytes: Buffer, random: Random, piece: Buffer): Buffer {
  const at = random.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
}

/** What is longer is refused by its length, which has tests of its own. */
const BYTES_MAX = 64 * 1024
const BYTES = [0, 1, 0x0a, 0x0d, 0x20, 0x22, 0x25, 0x2e, 0x2f, 0x3f, 0x40, 0x5c, 0x7f, 0x80, 0xbf, 0xc0, 0xfe, 0xff]
const REPEATED = [' ', '"', ',', '0', 'a']
const UNEXPECTED = Buffer.from('\x01')
const PLACES_MAX = 16
const NUMBERS = [0, 1, 2, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xc000, 0xc00c, 0xffff, 0x7fffffff, 0xffffffff]
