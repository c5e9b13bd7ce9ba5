import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import { diagnose, type Diagnosis, type Expectation } from '../diagnosis/diagnose.ts'
import type { Observation } from './observation.ts'

/** An observation with what it was held against: enough to diagnose again without a network or a database. */
export interface Evidence {
  version: 1
  observation: Observation
  expectation: Expectation
}

type EvidenceReading = { ok: true; diagnosis: Diagnosis } | { ok: false; message: string }

export function evidenceOf(observation: Observation, expectation: Expectation): Evidence {
  return { version: 1, observation, expectation }
}

/** The diagnosis of a saved bundle, as it was given when the bundle was made. */
export function explainEvidence(text: string): EvidenceReading {
  let saved: Partial<Evidence> | null
  try {
    saved = JSON.parse(text) as Partial<Evidence> | null
  } catch {
    return { ok: false, message: 'This is no evidence bundle: it is not JSON.' }
  }
  const isBundle = saved?.version === 1 && saved.observation?.version === 1 && Array.isArray(saved.observation.queries)
  if (!isBundle || typeof saved?.expectation !== 'object') {
    return { ok: false, message: 'This is no evidence bundle of version 1. Save one from the domain’s page.' }
  }
  return { ok: true, diagnosis: diagnose(saved.observation!, saved.expectation) }
}

/** 12 to 40 KB of JSON become 1 to 3 KB: evidence is kept for every domain, and every domain is looked at daily. */
export async function packEvidence(evidence: Evidence): Promise<string> {
  return (await promisify(gzip)(JSON.stringify(evidence))).toString('base64')
}

export function unpackEvidence(packed: string): Evidence {
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')) as Evidence
}
