const MEGABYTE = 1_000_000

export function inMegabytes(bytes: number): string {
  return bytes < MEGABYTE ? `${bytes} bytes` : `${Number((bytes / MEGABYTE).toFixed(1))} MB`
}
