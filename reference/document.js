/** Turns an OpenAPI document into what the page shows: addresses, groups of tags, operations, schemas. */
export function readDocument(spec, documentUrl) {
  const resolve = resolverOf(spec)
  const operations = readOperations(spec, resolve)
  return {
    title: spec.info?.title ?? 'API',
    version: spec.info?.version ?? '',
    summary: spec.info?.summary ?? '',
    description: spec.info?.description ?? '',
    openapiVersion: spec.openapi ?? '',
    servers: readServers(spec, documentUrl),
    authentication: readAuthentication(spec),
    groups: readGroups(spec, operations),
    operations,
    schemas: Object.entries(spec.components?.schemas ?? {}).map(([name, schema]) => ({ name, schema })),
    resolve,
  }
}

/** Integers beyond 2^53 keep their digits where the browser can hand over the source text of a number. */
export function parseExactly(text) {
  return JSON.parse(text, (_key, value, context) => {
    const isExact = typeof value !== 'number' || Number.isSafeInteger(value) || !Number.isInteger(value)
    return isExact || !context?.source || !JSON.rawJSON ? value : JSON.rawJSON(context.source)
  })
}

function resolverOf(spec) {
  return function resolve(node) {
    let found = node
    for (let hops = 0; found?.$ref !== undefined && hops < 20; hops += 1) {
      const path = found.$ref.replace(/^#\//, '').split('/')
      found = path.reduce((at, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], spec)
    }
    return found ?? {}
  }
}

function readServers(spec, documentUrl) {
  const servers = (spec.servers ?? []).map(({ url, description, variables = {} }) => {
    const filled = url.replaceAll(/\{([^}]+)\}/g, (whole, name) => variables[name]?.default ?? whole)
    return { label: description ?? filled, url: new URL(filled, documentUrl).href.replace(/\/$/, '') }
  })
  return servers.length > 0
    ? servers
    : [{ label: 'This server', url: new URL('.', documentUrl).href.replace(/\/$/, '') }]
}

function readAuthentication(spec) {
  const schemes = Object.values(spec.components?.securitySchemes ?? {})
  const bearer = schemes.find((scheme) => scheme.type === 'http' && scheme.scheme?.toLowerCase() === 'bearer')
  return bearer === undefined ? null : { description: bearer.description ?? '' }
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options']

function readOperations(spec, resolve) {
  const operations = []
  for (const [path, item] of Object.entries(spec.paths ?? {})) {
    for (const method of METHODS) {
      if (item[method] !== undefined) operations.push(readOperation(path, method, item, item[method], resolve))
    }
  }
  return operations
}

function readOperation(path, method, item, operation, resolve) {
  const id = operation.operationId ?? `${method}${path.replaceAll(/\W+/g, '-')}`
  return {
    id,
    method: method.toUpperCase(),
    path,
    tags: operation.tags ?? [],
    summary: operation.summary ?? id,
    description: operation.description ?? '',
    stability: operation['x-stability'] ?? 'stable',
    deprecation: readDeprecation(operation),
    isTryable: operation['x-hideTryItPanel'] !== true,
    parameters: readParameters([...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve)),
    body: readBody(resolve(operation.requestBody)),
    responses: Object.entries(operation.responses ?? {}).map(([status, response]) =>
      readResponse(status, resolve(response), resolve),
    ),
    samples: operation['x-codeSamples'] ?? [],
  }
}

function readDeprecation(operation) {
  if (operation.deprecated !== true) return null
  return {
    sunset: operation['x-deprecated-sunset'] ?? operation['x-sunset'] ?? null,
    replacement: operation['x-deprecated-replacement'] ?? null,
  }
}

/** An operation's own parameter replaces the one of its path that has the same name and place. */
function readParameters(parameters) {
  const places = ['path', 'query', 'header']
  const byKey = new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]))
  return [...byKey.values()]
    .filter((parameter) => places.includes(parameter.in))
    .toSorted((a, b) => places.indexOf(a.in) - places.indexOf(b.in))
}

function readBody(body) {
  const media = jsonMedia(body)
  if (media === null) return null
  return { isRequired: body.required === true, description: body.description ?? '', ...media }
}

function readResponse(status, response, resolve) {
  const headers = Object.entries(response.headers ?? {}).map(([name, header]) => ({
    name,
    description: resolve(header).description,
  }))
  return { status, description: response.description ?? '', headers, ...jsonMedia(response) }
}

function jsonMedia(holder) {
  const [mediaType, media] = Object.entries(holder?.content ?? {})[0] ?? []
  if (media === undefined) return null
  const example = media.example ?? Object.values(media.examples ?? {})[0]?.value
  return { mediaType, schema: media.schema ?? {}, example }
}

const parentOf = (tag) => tag.parent ?? tag['x-parent'] ?? null

/** Groups come from `x-tagGroups`, from `parent`, and from tags that have neither operations nor a parent. */
function readGroups(spec, operations) {
  const declared = spec.tags ?? []
  const names = new Set([...declared.map((tag) => tag.name), ...operations.flatMap((operation) => operation.tags)])
  const operationsOf = (name) => operations.filter((operation) => operation.tags.includes(name))
  const describe = (name) => declared.find((tag) => tag.name === name)?.description ?? ''
  const groups = new Map()
  const groupOf = (name) =>
    groups.get(name) ?? groups.set(name, { name, description: describe(name), tags: [] }).get(name)

  const listed = spec['x-tagGroups'] ?? []
  const placed = new Map()
  for (const group of listed) for (const name of group.tags ?? []) placed.set(name, group.name)
  for (const tag of declared) if (parentOf(tag) !== null) placed.set(tag.name, parentOf(tag))
  for (const { name } of listed) groupOf(name)
  for (const tag of declared) if (parentOf(tag) === null && operationsOf(tag.name).length === 0) groupOf(tag.name)
  for (const name of names) {
    if (groups.has(name)) continue
    const tag = { name, description: describe(name), operations: operationsOf(name) }
    groupOf(placed.get(name) ?? name).tags.push(tag)
  }
  const untagged = operations.filter((operation) => operation.tags.length === 0)
  if (untagged.length > 0) groupOf('Other').tags.push({ name: 'other', description: '', operations: untagged })
  return [...groups.values()]
}
