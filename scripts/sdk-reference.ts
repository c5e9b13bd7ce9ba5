import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import client from '../client/package.json' with { type: 'json' }

/** Writes docs/reference/sdk.md from the client's declarations, or with `--check` says whether it is up to date. */
export const SDK_FILE = fileURLToPath(new URL('../docs/reference/sdk.md', import.meta.url))
const ROOT = fileURLToPath(new URL('..', import.meta.url))

interface Declaration {
  name: string
  kind: string
  about: string
  /** Without `export` and its own comment. */
  text: string
}

const INTRODUCTION = `# SDK reference

Everything that \`petstore-client\` exports, as it is declared. How it is used stands in
[the client](../../client/README.md).

<!-- Written by \`npm run docs:sdk\` from the declarations of client/src: change the client, not this page. -->
`

const KINDS: readonly { title: string; kinds: readonly string[] }[] = [
  { title: 'Functions', kinds: ['function', 'const'] },
  { title: 'Errors', kinds: ['class'] },
  { title: 'Types', kinds: ['interface', 'type'] },
]

export function sdkPage(): string {
  const built = mkdtempSync(join(tmpdir(), 'petstore-sdk-'))
  try {
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
    const project = join(ROOT, 'client/tsconfig.build.json')
    execFileSync(process.execPath, [compiler, '-p', project, '--outDir', built, '--emitDeclarationOnly'])
    const inherited = declarationsOf(readFileSync(join(built, 'transport.d.ts'), 'utf8')).filter(isInherited)
    const known = new Set<string>()
    const entries = Object.entries(client.exports).map(([path, { types }]) => {
      const declared = exportsOf(built, types.replace('./dist/', '')).filter(({ name }) => !known.has(name))
      for (const { name } of declared) known.add(name)
      return entry(
        posix.join(client.name, path),
        ABOUT[path] ?? '',
        path === '.' ? [...declared, ...inherited] : declared,
      )
    })
    return [INTRODUCTION, ...entries].join('\n')
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
}

const ABOUT: Record<string, string> = {
  '.': 'The animals interface.',
  './platform':
    'The management interface; errors, animals and orders are as above. Its routes and their answers, which the type ' +
    '`Routes` names, are left out here.',
  './webhooks': 'What a receiver needs; how it is used stands in [webhooks](../webhooks.md).',
}

/** Not exported itself, but `PetstoreOptions` has all of it. */
const isInherited = ({ name }: Declaration) => name === 'TransportOptions'

function exportsOf(built: string, file: string): Declaration[] {
  const source = readFileSync(join(built, file), 'utf8')
  const own = declarationsOf(source)
  // The reference of that interface has its routes and their answers.
  return file.startsWith('platform/') ? own : [...own, ...reexported(source, join(built, file, '..'))]
}

function entry(name: string, about: string, declared: readonly Declaration[]): string {
  const parts = KINDS.flatMap(({ title, kinds }) => {
    const own = declared.filter(({ kind }) => kinds.includes(kind))
    return own.length === 0 ? [] : [`### ${title}\n`, ...own.map(section)]
  })
  return [`## ${name}\n`, `${about}\n`, ...parts].join('\n')
}

function section({ name, about, text }: Declaration): string {
  return `#### ${name}\n\n${about === '' ? '' : `${about}\n\n`}\`\`\`ts declaration\n${text}\n\`\`\`\n`
}

/** What the entry passes on from files beside it: by name, or all of it. */
function reexported(source: string, folder: string): Declaration[] {
  const passed = source.matchAll(/^export (?:type )?(?:\{ (.*) \}|\*) from '(.*)\.ts';$/gm)
  return [...passed].flatMap(([, names, from]) => {
    const wanted = names && new Set(names.split(', ').map((name) => name.replace(/^type /, '')))
    const found = declarationsOf(readFileSync(join(folder, `${from}.d.ts`), 'utf8'))
    return found.filter(({ name }) => !wanted || wanted.has(name))
  })
}

/** A declaration begins at the left, and ends with the first line there that closes it. */
const DECLARATION = new RegExp(
  String.raw`^(?<comment>/\*\*(?:(?!\*/)[^])*\*/\n)?export (?:declare )?` +
    String.raw`(?<kind>function|const|class|interface|type) (?<name>\w+)[^]*?(?:^\}.*$|;$(?!\n[ }]))`,
  'gm',
)

function declarationsOf(source: string): Declaration[] {
  return [...source.matchAll(DECLARATION)].map(([whole, comment = '', kind = '', name = '']) => ({
    name,
    kind,
    about: commentText(comment),
    text: whole
      .slice(comment.length)
      .replace(/^export (?:declare )?/, '')
      .replaceAll(/^( {4})+/gm, (indent) => ' '.repeat(indent.length / 2))
      .replaceAll(/;$/gm, ''),
  }))
}

const commentText = (comment: string) =>
  comment
    .replaceAll(/^\s*\/?\*+\/?|\*\/\s*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

if (import.meta.main) {
  const wanted = sdkPage()
  if (!process.argv.includes('--check')) writeFileSync(SDK_FILE, wanted)
  else if (readFileSync(SDK_FILE, 'utf8') !== wanted) {
    console.error('docs/reference/sdk.md is not what the client declares: run npm run docs:sdk.')
    process.exitCode = 1
  }
}
