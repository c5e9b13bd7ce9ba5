import { diagnose, type Diagnosis, type Expectation } from '../diagnosis/diagnose.ts'
import { evidenceOf, packEvidence, unpackEvidence } from './evidence.ts'
import type { Subject } from './observation.ts'
import { observe, type ObserveNeeds } from './observe.ts'

export interface CheckedDns {
  diagnosis: Diagnosis
  /** The evidence, as it is stored. */
  packed: string
  /** What it took of the project's share: its packets, and one more for each KiB of answers. */
  questions: number
}

// A check of 32 nameserver addresses takes about 230 questions and 60 KB. Evidence is read again for every view of
// a domain: 256 KiB of answers become at most 1.5 MB of JSON.
const QUESTIONS_MAX = 500
const ANSWER_BYTES_MAX = 256 * 1024

/** Observes within bounds and reads every problem out of it. */
export async function checkDns(needs: ObserveNeeds, subject: Subject, expectation: Expectation): Promise<CheckedDns> {
  const budget = { questions: QUESTIONS_MAX, bytes: ANSWER_BYTES_MAX }
  const observation = await observe({ ...needs, budget }, subject)
  const answerKib = Math.floor((ANSWER_BYTES_MAX - budget.bytes) / 1024)
  return {
    diagnosis: diagnose(observation, expectation),
    packed: await packEvidence(evidenceOf(observation, expectation)),
    questions: QUESTIONS_MAX - budget.questions + answerKib,
  }
}

export function diagnosisIn(packed: string): Diagnosis {
  const { observation, expectation } = unpackEvidence(packed)
  return diagnose(observation, expectation)
}
