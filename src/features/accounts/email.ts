import { invalid } from '../../platform/errors.ts'

const EMAIL_LENGTH_MAX = 254

/** One spelling for an address, however it was typed. What lies behind it only a message can prove. */
export function parseEmail(text: string): string {
  const email = text.trim().normalize('NFC').toLowerCase()
  if (email.length <= EMAIL_LENGTH_MAX && /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]+$/u.test(email)) return email
  throw invalid(`"${text.slice(0, 80)}" is not an e-mail address: write it like name@example.com.`)
}
