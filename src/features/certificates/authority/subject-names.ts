import { isIP } from 'node:net'
import { SubjectAlternativeNameExtension } from './x509.ts'

const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17'

/** What certificates and requests have in common: a list of extensions. */
interface Extended {
  getExtension(oid: string): unknown
}

export const subjectNames = (names: readonly string[]) =>
  new SubjectAlternativeNameExtension(names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value })))

/** Hostnames in lower case and addresses, in the order in which the document lists them. */
export function readSubjectNames(document: Extended): string[] {
  const extension = document.getExtension(SUBJECT_ALTERNATIVE_NAME)
  if (!(extension instanceof SubjectAlternativeNameExtension)) return []
  return extension.names.items
    .filter((name) => name.type === 'dns' || name.type === 'ip')
    .map((name) => name.value.toLowerCase())
}
