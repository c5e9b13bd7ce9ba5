import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import type { Evidence } from './evidence.ts'

/** 12 to 40 KB of JSON become 1 to 3 KB: evidence is kept for every domain, and every domain is looked at daily. */
export async function packEvidence(evidence: Evidence): Promise<string> {
  return (await promisify(gzip)(JSON.stringify(evidence))).toString('base64')
}

export function unpackEvidence(packed: string): Evidence {
  return JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString('utf8')) as Evidence
}
