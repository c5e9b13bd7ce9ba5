import type { KeyObject } from 'node:crypto'
import { importKeyPair, importSpki, KEY_ALGORITHM } from './key-pair.ts'
import { readSubjectNames, subjectNames } from './subject-names.ts'
import { Pkcs10CertificateRequest, Pkcs10CertificateRequestGenerator } from './x509.ts'

/**
 * A PKCS #10 request as base64url of its DER, which is the form that ACME sends.
 * The subject stays empty: names belong in the alternative names, and a common name is limited to 64 characters.
 */
export async function createCsr(names: readonly string[], privateKeyPem: string): Promise<string> {
  const request = await Pkcs10CertificateRequestGenerator.create({
    keys: importKeyPair(privateKeyPem),
    signingAlgorithm: KEY_ALGORITHM,
    extensions: [subjectNames(names)],
  })
  return Buffer.from(request.rawData).toString('base64url')
}

export interface CsrContents {
  names: string[]
  publicKey: KeyObject
}

/** Reads a request and checks that whoever made it holds the private key. */
export async function readCsr(csr: string): Promise<CsrContents> {
  const request = new Pkcs10CertificateRequest(Buffer.from(csr, 'base64url'))
  if (!(await request.verify())) throw new Error('The certificate request is not signed by its own key.')
  return { names: readSubjectNames(request), publicKey: importSpki(request.publicKey.rawData) }
}
