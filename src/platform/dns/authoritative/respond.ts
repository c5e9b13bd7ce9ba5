import { type MaybePromise, whenThere } from '../../maybe-promise.ts'
import { readQuery, SILENCE } from './query.ts'
import { bareReply, emptyReply, fullReply, payloadOf, truncatedReply } from './reply.ts'
import { RCODE } from './wire.ts'
import { type LabelZone, zoneAnswers } from './zone.ts'

/** What goes back to whoever sent the packet; undefined for nothing. */
export type Respond = (packet: Buffer, way: 'tcp' | 'udp' | 'udp slip') => MaybePromise<Buffer | undefined>

/** `udp slip`: the sender has had its share, and is asked to come over TCP. */
export function responderFor(zone: LabelZone, onError: (error: unknown) => void): Respond {
  const { answer, apexBytes } = zoneAnswers(zone)

  return (packet, way) => {
    const query = readQuery(packet)
    if (query === SILENCE) return undefined
    if (typeof query === 'number') return way === 'udp slip' ? undefined : bareReply(packet, query)
    if (way === 'udp slip') return truncatedReply(packet, query, false)
    if (query.edns !== undefined && query.edns.version !== 0) return emptyReply(packet, query, RCODE.badVersion)
    const bytesMax = way === 'tcp' ? TCP_BYTES_MAX : payloadOf(query)
    const failed = (error: unknown) => {
      onError(error)
      return emptyReply(packet, query, RCODE.serverFailure)
    }
    try {
      const reply = whenThere(answer(query.name, query.type), (found) =>
        fullReply(packet, query, found, { bytesMax, apexBytes }),
      )
      return reply instanceof Promise ? reply.catch(failed) : reply
    } catch (error) {
      return failed(error)
    }
  }
}

const TCP_BYTES_MAX = 65_535
