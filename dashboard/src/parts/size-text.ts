/** Bytes as people write them: `850 B`, `1.2 MB`, `10 GB`. */
export function sizeText(bytes: number): string {
  const [value, unit] = UNITS.map(([size, name]) => [bytes / size, name] as const).find(([amount]) => amount >= 1) ?? [
    bytes,
    'B',
  ]
  return `${unit === 'B' || value >= 10 ? Math.round(value) : Number(value.toFixed(1))} ${unit}`
}

const UNITS = [
  [1_000_000_000, 'GB'],
  [1_000_000, 'MB'],
  [1000, 'kB'],
] as const
