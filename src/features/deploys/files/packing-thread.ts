import { answerRequests } from '../../../platform/thread/answer.ts'
import { packAtOnce, type Packed } from './encodings.ts'

answerRequests<Uint8Array, Packed>(async (content) => packAtOnce(content))
