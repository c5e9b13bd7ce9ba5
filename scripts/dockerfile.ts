import { cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/** One step of a Dockerfile: its word in upper case, and what stands behind it on its lines. */
export interface Instruction {
  word: string
  text: string
}

/** Comments and blank lines are left out; lines that end in a backslash go on in the next. */
export function readDockerfile(source: string): Instruction[] {
  const lines = source.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line))
  return lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => {
      const [, word = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
      return { word: word.toUpperCase(), text }
    })
}

/** `COPY a b folder/`: into a folder where the target ends in a slash, and a folder's content, never itself. */
export function copyInto(sources: readonly string[], target: string): void {
  for (const source of sources) {
    const isFile = statSync(source).isFile()
    cpSync(source, isFile && target.endsWith('/') ? join(target, basename(source)) : target, {
      recursive: true,
      verbatimSymlinks: true,
    })
  }
}

/** Whether `.dockerignore` keeps a path of the checkout out of the image; it has names and `**` in front of one. */
export function imageIgnores(checkout: string): (path: string) => boolean {
  const file = join(checkout, '.dockerignore')
  const names = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
  const anywhere = new Set(names.filter((name) => name.startsWith('**/')).map((name) => name.slice(3)))
  return (path) => names.includes(path.split('/', 1)[0] as string) || path.split('/').some((part) => anywhere.has(part))
}
