import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

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

Everything that \`@petstore/client\` exports, as it is declared. How it is used stands in
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
    const animals = exportsOf(built, 'client.d.ts')
    const inherited = declarationsOf(readFileSync(join(built, 'transport.d.ts'), 'utf8')).filter(isInherited)
    const known = new Set(animals.map(({ name }) => name))
    const platform = exportsOf(built, 'platform/platform.d.ts').filter(
      ({ name }) => !known.has(name) && name !== 'Routes',
    )
    return [
      INTRODUCTION,
      entry('@petstore/client', 'The animals interface.', [...animals, ...inherited]),
      entry('@petstore/client/platform', PLATFORM, platform),
    ].join('\n')
  } finally {
    rmSync(built, { recursive: true, force: true })
  }
}

const PLATFORM =
  'The management interface; errors, animals and orders are as above. `Routes`, which names every route with its ' +
  'body, its query and its answer, and the types of the answers are left out here.'

/** Not exported itself, but `PetstoreOptions` has all of it. */
const isInherited = ({ name }: Declaration) => name === 'TransportOptions'

function exportsOf(built: string, file: string): Declaration[] {
  const source = readFileSync(join(built, file), 'utf8')
  return [...declarationsOf(source), ...reexported(source, join(built, file, '..'))]
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

/** Of the names that the entry passes on from a file beside it, `export type *` left out. */
function reexported(source: string, folder: string): Declaration[] {
  return [...source.matchAll(/^export (?:type )?\{ (.*) \} from '(.*)';$/gm)].flatMap(([, names = '', from = '']) => {
    const wanted = new Set(names.split(', ').map((name) => name.replace(/^type /, '')))
    const found = declarationsOf(readFileSync(join(folder, from.replace(/\.ts$/, '.d.ts')), 'utf8'))
    return found.filter(({ name }) => wanted.has(name))
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
