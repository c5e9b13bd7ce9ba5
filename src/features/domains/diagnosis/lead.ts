import { isWrong, type JudgedView, type RecordExpectation } from './judge-record.ts'

/**
 * Where the hostname leads, as everybody who answered says. Only the target shows which project is meant: it is that
 * project's alone. Addresses are everybody's.
 */
export type Lead = 'by target' | 'by address' | 'partly by address' | 'elsewhere' | 'unclear'

export function leadOf(answered: readonly JudgedView[], { addresses: ours, known }: RecordExpectation): Lead {
  if (answered.length === 0) return 'unclear'
  const views = answered.map(({ view }) => view)
  if (!answered.some(({ findings }) => findings.some(isWrong))) {
    return views.every(({ cnames }) => cnames.length > 0) ? 'by target' : 'by address'
  }
  // A CNAME of somebody else may lead here by any number of detours.
  if (views.some(({ cnames }) => cnames.length > 0)) return 'unclear'
  const found = views.flatMap(({ addresses }) => addresses)
  if (found.some(({ data }) => ours.has(data))) return 'partly by address'
  return found.every(({ type }) => known.has(type)) ? 'elsewhere' : 'unclear'
}
