import { giveBack } from '../../../platform/storage/give-back.ts'
import { answerRequests } from '../../../platform/thread/answer.ts'
import { packAtOnce, type Packed } from './encodings.ts'

answerRequests<Uint8Array, Packed>(async (content) => {
  const packed = packAtOnce(content)
  giveBack(content)
  return packed
})
