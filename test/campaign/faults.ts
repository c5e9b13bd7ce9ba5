/** One thing that was done to the service, from the moment it began until everything was mended again. */
export interface Fault {
  readonly kind: string
  /** The instance that it was done to; undefined when all are concerned. */
  readonly victim: number | undefined
  readonly start: number
  readonly end: number
}

export interface FaultFigures {
  readonly kind: string
  readonly times: number
  /** The longest time without an acknowledged write at an instance to which nothing was done. */
  readonly othersPausedMs: number
  /** From the mending until every instance had acknowledged a write again. */
  readonly recoveryMs: number
}

/** What each kind of fault cost, by the moments at which the instances acknowledged writes. */
export function figuresOf(faults: readonly Fault[], served: readonly (readonly number[])[]): FaultFigures[] {
  return [...Map.groupBy(faults, ({ kind }) => kind)].map(([kind, ofKind]) => ({
    kind,
    times: ofKind.length,
    othersPausedMs: Math.max(0, ...ofKind.flatMap((fault) => pauses(fault, served))),
    recoveryMs: Math.max(
      0,
      ...ofKind.map(({ end }) => Math.max(...served.map((moments) => after(end, moments) - end))),
    ),
  }))
}

function pauses({ victim, start, end }: Fault, served: readonly (readonly number[])[]): number[] {
  if (victim === undefined) return []
  return served
    .filter((_, instance) => instance !== victim)
    .map((moments) => {
      const within = moments.filter((moment) => moment > start && moment < end)
      const edges = [start, ...within, Math.min(end, after(end, moments))]
      return Math.max(...edges.slice(1).map((moment, index) => moment - (edges[index] as number)))
    })
}

/** The first moment after, or that one itself when none came: the campaign had ended. */
const after = (moment: number, moments: readonly number[]) => moments.find((served) => served > moment) ?? moment
