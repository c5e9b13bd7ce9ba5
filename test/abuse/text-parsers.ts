import { alreadyHeld, isWanted, rangeOf } from '../../src/edge/site/conditions.ts'
import { factsOf } from '../../src/features/domains/switch/site-facts.ts'
import { acceptedEncodings } from '../../src/platform/http/encoding/negotiate.ts'
import { isMatch, matchingEtag } from '../../src/platform/http/etag.ts'
import { readCookie } from '../../src/platform-api/cookies.ts'
import type { Parser } from './parsers.ts'

const ETAG = '"abc-br"'

export const headers: Parser = {
  name: 'headers',
  seeds: ['bytes=0-499', '"a", W/"abc-br"', 'gzip;q=0.5, br', 'petstore_session=a; b=c'].map((text) =>
    Buffer.from(text),
  ),
  words: ['bytes=', '-', 'W/', '"', ',', ';', 'q=', '=', '*', ' ', '\t', '\0'],
  take(input) {
    const header = input.toString('latin1')
    const range = rangeOf(header, 100)
    if (typeof range === 'object' && !(range.start >= 0 && range.start < range.end && range.end <= 100)) {
      throw new Error(`a range leaves the file: ${range.start} to ${range.end}`)
    }
    alreadyHeld(header, ETAG)
    isWanted(header, ETAG)
    matchingEtag(header, ETAG)
    isMatch(header, ETAG)
    acceptedEncodings(header)
    readCookie(header, 'session', false)
  },
}

const PAGE = {
  url: 'https://shop.example/',
  address: null,
  status: 200,
  headers: [],
  certificate: null,
  error: null,
  durationMs: 1,
}

/** Of hosts that a member wants compared with what is here. */
export const pages: Parser = {
  name: 'pages of other hosts',
  seeds: [Buffer.from('<html><title lang=en>A &amp; B</title>')],
  words: ['<title', '<', '>', '</title', '&amp;', ' ', '\n'],
  take: (input) => void factsOf([{ ...PAGE, body: input.toString() }]),
}
