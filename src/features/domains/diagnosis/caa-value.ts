export interface IssueValue {
  /** Lower case; empty when the value names nobody or cannot be read, which forbids everybody. */
  issuer: string
  accountUris: string[]
  methodLists: string[]
}

/** The value of an `issue` or `issuewild` property: RFC 8659, section 4.2, with the parameters of RFC 8657. */
export function readIssueValue(value: string): IssueValue {
  const [issuer, ...rest] = value.split(';').map((part) => part.replace(/^[ \t]+|[ \t]+$/g, ''))
  const parameters = (rest.at(-1) === '' ? rest.slice(0, -1) : rest).map((part) => PARAMETER.exec(part))
  const readable = (issuer === '' || ISSUER.test(issuer!)) && parameters.every((match) => match !== null)
  if (!readable) return { issuer: '', accountUris: [], methodLists: [] }
  const valuesOf = (tag: string) => {
    const matching = parameters.filter((match) => match![1]!.toLowerCase() === tag)
    return matching.map((match) => match![2]!)
  }
  const methodLists = valuesOf('validationmethods')
  return { issuer: issuer!.toLowerCase(), accountUris: valuesOf('accounturi'), methodLists }
}

const ISSUER = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i
const PARAMETER = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)[ \t]*=[ \t]*([!-:<-~]*)$/i
