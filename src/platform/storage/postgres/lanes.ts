import type { MaybePromise } from '../../maybe-promise.ts'

/** A connection on which several statements travel at once. */
export interface LaneConnection {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>
  /** False when it is broken, or leads to a server that is no longer written to. */
  isUsable(): boolean
  end(): Promise<void>
}

/** Each of these may have to wait for its lock before the last of them is answered. */
const UNDER_WAY_MAX = 8

interface Lane {
  readonly connection: Promise<LaneConnection>
  opened: LaneConnection | undefined
  underWay: number
}

/**
 * Connections for reads of a single statement. Each read is written at once behind those that are under way (pipeline
 * mode of the driver), so that it costs one way there and back, never waits for a free connection, and shares packets
 * with others. What takes long holds up whatever is behind it: so there are several, the emptiest is taken, none has
 * more than a few under way, and a lock is not waited for here.
 */
export class ReadLanes implements AsyncDisposable {
  readonly #open: () => Promise<LaneConnection>
  readonly #lanesMax: number
  #lanes: Lane[] = []

  constructor(open: () => Promise<LaneConnection>, lanesMax: number) {
    this.#open = open
    this.#lanesMax = lanesMax
  }

  /** Undefined where every lane is full: the pool has to be asked. */
  read(text: string, values: unknown[]): Promise<unknown[]> | undefined {
    const lane = this.#emptiest()
    return lane.underWay < UNDER_WAY_MAX ? this.#readOn(lane, text, values) : undefined
  }

  async #readOn(lane: Lane, text: string, values: unknown[]): Promise<unknown[]> {
    lane.underWay++
    try {
      const connection: MaybePromise<LaneConnection> = lane.opened ?? lane.connection
      return (await (await connection).query(text, values)).rows
    } finally {
      lane.underWay--
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#lanes.map(end))
  }

  #emptiest(): Lane {
    if (!this.#lanes.every(isUsable)) this.#dropUnusable()
    let found: Lane | undefined
    for (const lane of this.#lanes) if (found === undefined || lane.underWay < found.underWay) found = lane
    const hasRoom = this.#lanes.length < this.#lanesMax
    return found === undefined || (found.underWay > 0 && hasRoom) ? this.#add() : found
  }

  #add(): Lane {
    const lane: Lane = { connection: this.#open(), opened: undefined, underWay: 0 }
    this.#lanes.push(lane)
    lane.connection.then(
      (connection) => (lane.opened = connection),
      () => this.#remove(lane),
    )
    return lane
  }

  #dropUnusable(): void {
    for (const lane of this.#lanes.filter((one) => !isUsable(one))) {
      this.#remove(lane)
      void end(lane)
    }
  }

  #remove(lane: Lane): void {
    this.#lanes = this.#lanes.filter((other) => other !== lane)
  }
}

/** One that is being opened will be, as far as is known. */
const isUsable = ({ opened }: Lane) => opened?.isUsable() ?? true

/** Behind the reads that are under way. */
const end = async ({ connection }: Lane) => {
  await connection.then((opened) => opened.end()).catch(() => {})
}
