import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { unavailable } from '../../../platform/errors.ts'
import type { RandomBytes } from '../../../platform/id.ts'
import { Line } from '../../../platform/thread/line.ts'

export interface PasswordCost {
  memoryKib: number
  passes: number
}

/** OWASP's parameters for argon2id with one lane: about 35 ms of one core and 19 MiB. */
export const PASSWORD_COST: PasswordCost = { memoryKib: 19_456, passes: 2 }

export interface PasswordOptions {
  cost?: PasswordCost
  parallelMax?: number
  random?: RandomBytes
  argon2?: typeof argon2
}

const SALT_BYTES = 16
const TAG_BYTES = 32
/** Of strangers, about seven seconds of work; who comes later is told so at once. */
const WAITING_MAX = 200
/** Of one network, or of one account's own devices: no more than a tenth is anybody's. */
const WAITING_PER_SHARE_MAX = 20

/** Whose share of the queue it is, and whether it passes strangers. */
export interface Turn {
  share: string
  urgent?: boolean
}

const NOBODYS: Turn = { share: '' }

/**
 * Hashes and checks passwords off the event loop, a bounded number at a time, so that a crowd at the
 * sign-in page costs the API neither its processors nor its memory.
 */
export class Passwords {
  readonly #cost: PasswordCost
  readonly #parallelMax: number
  readonly #random: RandomBytes
  readonly #argon2: typeof argon2
  /** People on their own devices, and all others, by their shares. */
  readonly #urgent = new Line()
  readonly #others = new Line()
  #running = 0
  #wasUrgent = false

  constructor(options: PasswordOptions = {}) {
    this.#cost = options.cost ?? PASSWORD_COST
    this.#parallelMax = options.parallelMax ?? Math.min(2, Math.max(1, availableParallelism() - 1))
    this.#random = options.random ?? randomBytes
    this.#argon2 = options.argon2 ?? argon2
  }

  /** In the usual form, which carries its own parameters: `$argon2id$v=19$m=…,t=…,p=1$salt$tag`. */
  async hash(password: string, turn = NOBODYS): Promise<string> {
    const salt = this.#random(SALT_BYTES)
    const tag = await this.#derive(password, salt, this.#cost, turn)
    const { memoryKib, passes } = this.#cost
    return `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${base64(salt)}$${base64(tag)}`
  }

  /** Without a stored hash the same work is done, so that time does not tell which accounts exist. */
  async verify(password: string, stored: string | undefined, turn = NOBODYS): Promise<boolean> {
    const known = stored ? parse(stored) : undefined
    const salt = known?.salt ?? Buffer.alloc(SALT_BYTES)
    const tag = await this.#derive(password, salt, known ?? this.#cost, turn)
    return timingSafeEqual(tag, known?.tag ?? Buffer.alloc(TAG_BYTES)) && known !== undefined
  }

  async #derive(password: string, nonce: Buffer, cost: PasswordCost, turn: Turn): Promise<Buffer> {
    await this.#turn(turn)
    try {
      return await new Promise((resolve, reject) => {
        const parameters = {
          // The same letters typed on another keyboard are the same password.
          message: password.normalize('NFKC'),
          nonce,
          parallelism: 1,
          tagLength: TAG_BYTES,
          memory: cost.memoryKib,
          passes: cost.passes,
        }
        this.#argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)))
      })
    } finally {
      const next = this.#next()
      if (next) next()
      else this.#running--
    }
  }

  /**
   * One of each in turn: people on their own device do not wait behind the crowd of strangers, and whoever signs in
   * there without pause keeps no stranger out.
   */
  #next(): (() => void) | undefined {
    const [first, second] = this.#wasUrgent ? [this.#others, this.#urgent] : [this.#urgent, this.#others]
    const queue = first.length > 0 ? first : second
    this.#wasUrgent = queue === this.#urgent
    return queue.shift()
  }

  #turn({ share, urgent = false }: Turn): Promise<void> | undefined {
    if (this.#running < this.#parallelMax) {
      this.#running++
      return undefined
    }
    const queue = urgent ? this.#urgent : this.#others
    if (queue.lengthOf(share) >= WAITING_PER_SHARE_MAX || (!urgent && queue.length >= WAITING_MAX)) {
      throw unavailable('Too many people are signing in right now: try again in a few seconds.', undefined, 5)
    }
    return new Promise((start) => queue.push(share, start))
  }
}

function parse(stored: string): (PasswordCost & { salt: Buffer; tag: Buffer }) | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/.exec(stored)
  if (!match) return undefined
  const [, memory, passes, salt = '', tag = ''] = match
  return {
    memoryKib: Number(memory),
    passes: Number(passes),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
