import type { Deprecation, OperationContract } from '../operation.ts'

/** One field of the contract, under the names that the tools people use look for. */
export function stabilityMarkers({ stability }: Pick<OperationContract, 'stability'>) {
  const badge = { stable: 'Stable', beta: 'Beta', experimental: 'Experimental' }[stability]
  return {
    'x-stability': stability,
    'x-stability-level': stability,
    // Scalar has no word for beta; the badge says it there and in Redocly.
    'x-scalar-stability': stability === 'beta' ? 'experimental' : stability,
    'x-fern-availability': { stable: 'generally-available', beta: 'beta', experimental: 'in-development' }[stability],
    'x-badges': [{ name: badge, label: badge }],
  }
}

export const deprecationMarkers = ({ sunset, advice }: Deprecation) => ({
  deprecated: true,
  'x-deprecated-sunset': sunset,
  'x-deprecated-replacement': advice,
  'x-sunset': sunset,
})

export const TRY_OUT_DISABLED = {
  'x-hideTryItPanel': true,
  'x-explorer-enabled': false,
  'x-zudoku-playground-enabled': false,
  'x-hideReplay': true,
  'x-readme': { 'explorer-enabled': false },
  'x-fern-explorer': false,
}

/**
 * The navigation groups have no operations of their own. GitBook nests a tag by `x-parent`, other tools group
 * tags by `x-tagGroups`: both say the same here.
 */
export const NAVIGATION = {
  tags: [
    { name: 'Store', description: 'The store.', 'x-displayName': 'Store' },
    { name: 'Pets', description: 'The animals.', 'x-displayName': 'Pets' },
    { name: 'animals', description: 'Animals and the orders for them.', 'x-parent': 'Pets' },
  ],
  'x-tagGroups': [
    { name: 'Store', tags: ['Store'] },
    { name: 'Pets', tags: ['Pets', 'animals'] },
  ],
}
