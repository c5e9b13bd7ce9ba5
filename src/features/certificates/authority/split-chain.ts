import { X509Certificate } from 'node:crypto'

export const CERTIFICATES_MAX = 10
const PEM_BLOCK = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----/g

/** Stops after the first certificate too many, so that a long answer costs no more to read than a short one. */
export function splitChain(pem: string): X509Certificate[] {
  return (pem.match(PEM_BLOCK) ?? []).slice(0, CERTIFICATES_MAX + 1).map((block) => new X509Certificate(block))
}
