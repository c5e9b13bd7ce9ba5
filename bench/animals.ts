import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PetstoreServer } from './servers.ts'

const ANIMALS = 50_000
const STATUSES = ['available', 'pending', 'sold'] as const

export const NEW_PET = JSON.stringify({ name: 'Rex the dog', categoryId: 12, status: 'available' })

export const animals = Array.from({ length: ANIMALS }, (_, index) => ({
  name: `Animal ${index + 1}`,
  categoryId: index % 50,
  status: STATUSES[index % 3] as string,
}))
export const gets = animals.map((_, index) => `/pets/${index + 1}`)

/** Every page of 20 there is, without a filter and of each status, as the list itself leads to them. */
export async function pagesOf({ url, key }: PetstoreServer): Promise<string[]> {
  const found: string[] = []
  for (const query of ['limit=20', ...STATUSES.map((status) => `limit=20&status=${status}`)]) {
    for (let next: string | undefined = `/pets?${query}`; next !== undefined;) {
      found.push(next)
      const response = await fetch(url + next, { headers: { Authorization: `Bearer ${key}` } })
      await response.arrayBuffer()
      next = /<[^>]*\/v1([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
    }
  }
  return found
}

/** Drawn at random from these, nine requests of twenty are gets, nine are lists, two are creates. */
export function mixed(lists: readonly string[]): string[] {
  const some = 4500
  return [...sample(gets, some), ...sample(lists, some), ...Array.from({ length: 1000 }, () => 'POST')]
}

function sample(of: readonly string[], count: number): string[] {
  return Array.from({ length: count }, () => of[Math.floor(Math.random() * of.length)] as string)
}

export function importInto(server: PetstoreServer, environment: Record<string, string> = {}): void {
  const file = join(server.directory, 'animals.ndjson')
  writeFileSync(file, animals.map((animal) => `${JSON.stringify(animal)}\n`).join(''))
  const command = [new URL('../bin/petstore.js', import.meta.url).pathname, 'import', file]
  const options = ['--project', 'petstore', '--environment', 'production']
  const env = { ...process.env, PETSTORE_DATA: server.directory, ...environment }
  execFileSync(process.execPath, [...command, ...options], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}
