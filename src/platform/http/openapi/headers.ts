const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })

export const EXAMPLE_ETAG = '"9kq2l0v7c4hte"'

/** Response headers as components. */
const HEADERS = {
  Link: text(
    'The next page, `rel="next"`; absent on the last page.',
    '<https://api.petstore.example/v1/pets?limit=20&cursor=8qEZ6vuAlTEfjgwSMg>; rel="next"',
  ),
  DeprecationLink: text(
    'What is deprecated is explained at `rel="deprecation"` and replaced by `rel="successor-version"`.',
    '<https://api.petstore.example/docs/versioning>; rel="deprecation"; type="text/html", ' +
      '<https://api.petstore.example/v1/pets>; rel="successor-version"',
  ),
  Location: text(
    'Address of the list that holds the created animal and nothing else.',
    'https://api.petstore.example/v1/pets?id=1',
  ),
  OrderLocation: text('Address of the placed order.', 'https://api.petstore.example/v1/store/orders/1'),
  ETag: text(
    'Validator of exactly this content, for `If-None-Match` and, of a single resource, `If-Match`.',
    EXAMPLE_ETAG,
  ),
  'X-Request-Id': text('Identifies this request in the logs.', 'req_5f1c2a9be0711'),
  'RateLimit-Policy': text('The quota of this key.', '"default";q=2000;w=2'),
  RateLimit: text('What is left of it, and when it is whole again.', '"default";r=1999;t=1'),
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' }, example: 1 },
  'Petstore-Outcome': text(
    '`unknown` when the request may be done all the same; where it is absent, nothing was changed.',
    'unknown',
  ),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer'),
  'Idempotency-Replayed': text('`true` when the answer is that of an earlier request with the same key.', 'true'),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).', '@1764892800'),
  Sunset: text('When the operation is removed (RFC 8594).', 'Thu, 05 Dec 2030 00:00:00 GMT'),
}

type Component = keyof typeof HEADERS

export const headerComponents: Record<string, { description: string }> = HEADERS

export function headersOf(names: readonly Component[]) {
  return Object.fromEntries(
    names.map((component) => [
      component.replace(/^(?:Deprecation(?=Link)|Order(?=Location))/, ''),
      { $ref: `#/components/headers/${component}` },
    ]),
  )
}
