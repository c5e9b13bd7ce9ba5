import { createHash } from 'node:crypto'
import { DAY_MS, type Clock } from '../../../platform/clock.ts'
import type { ChallengeAnswer } from '../issuer.ts'
import { createPrivateKeyPem, importKeyPair, KEY_ALGORITHM } from '../authority/key-pair.ts'
import { subjectNames } from '../authority/subject-names.ts'
import { Extension, X509CertificateGenerator } from '../authority/x509.ts'

/** http-01: `GET http://<hostname>/.well-known/acme-challenge/<token>` is answered with the key authorisation. */
export const HTTP_CHALLENGE_PATH = '/.well-known/acme-challenge/'

/** tls-alpn-01: a handshake on port 443 that offers only this protocol gets the validation certificate. */
export const TLS_CHALLENGE_PROTOCOL = 'acme-tls/1'

const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31'
const OCTET_STRING = 0x04

export const keyAuthorization = (token: string, thumbprint: string) => `${token}.${thumbprint}`

/** The self-signed certificate that proves control of a hostname by tls-alpn-01 (RFC 8737). */
export async function createValidationCertificate(
  { clock }: { clock: Clock },
  answer: Pick<ChallengeAnswer, 'hostname' | 'keyAuthorization'>,
): Promise<{ certificatePem: string; privateKeyPem: string }> {
  const privateKeyPem = await createPrivateKeyPem()
  const digest = createHash('sha256').update(answer.keyAuthorization).digest()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ['ACME validation'] }],
    keys: importKeyPair(privateKeyPem),
    signingAlgorithm: KEY_ALGORITHM,
    notBefore: new Date(clock.now() - DAY_MS),
    notAfter: new Date(clock.now() + 7 * DAY_MS),
    extensions: [
      subjectNames([answer.hostname]),
      new Extension(ACME_IDENTIFIER, true, Buffer.concat([Buffer.from([OCTET_STRING, digest.length]), digest])),
    ],
  })
  return { certificatePem: `${certificate.toString('pem')}\n`, privateKeyPem }
}
