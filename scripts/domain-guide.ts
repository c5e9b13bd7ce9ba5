import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  PROBLEM_CODES,
  PROBLEMS,
  type ProblemDefinition,
  type Severity,
} from '../src/features/domains/diagnosis/problems.ts'

export const GUIDE_FILE = fileURLToPath(new URL('../docs/custom-domains.md', import.meta.url))

const BEGIN = '<!-- problems: written by `npm run domains:guide` from src/features/domains/diagnosis/problems.ts -->'
const END = '<!-- end of problems -->'

/** The guide with its list of problems as the table of messages has it; the rest of the page is left alone. */
export function guideWithProblems(page: string): string {
  const [before, rest, ...more] = page.split(BEGIN)
  const [, after, ...others] = (rest ?? '').split(END)
  if (before === undefined || after === undefined || more.length + others.length > 0) {
    throw new Error(`The guide must have the lines ${BEGIN} and ${END} once each.`)
  }
  return `${before}${BEGIN}\n\n${problemsSection()}\n${END}${after}`
}

function problemsSection(): string {
  return SECTIONS.map(({ severity, title, meaning }) => {
    const codes = PROBLEM_CODES.filter((code) => PROBLEMS[code].severity === severity)
    return `### ${title}\n\n${meaning}\n\n${codes.map(problemEntry).join('\n')}`
  }).join('\n')
}

const SECTIONS: { severity: Severity; title: string; meaning: string }[] = [
  {
    severity: 'blocking',
    title: 'Must be mended',
    meaning: 'A nameserver of your domain gave a clear answer, and it is not the one that is needed.',
  },
  {
    severity: 'transient',
    title: 'May pass by itself',
    meaning: 'Nobody gave a clear answer. We look again by ourselves, and a domain that is live stays live.',
  },
  {
    severity: 'warning',
    title: 'Good to know',
    meaning: 'The domain works, but something deserves your attention.',
  },
]

function problemEntry(code: (typeof PROBLEM_CODES)[number]): string {
  const { title, detail, fix, affects }: ProblemDefinition = PROBLEMS[code]
  const concerns = affects === 'certificate' ? '\n\nConcerns the certificate only: the domain is verified.' : ''
  return `#### \`${code}\`\n\n**${shown(title)}.** ${shown(detail)}${concerns}\n\n*What to do:* ${shown(fix)}\n`
}

/** What the service fills in stands in angle quotes, in words. */
function shown(template: string): string {
  return template.replace(/\{(\w+)\}/g, (_, word: string) => `‹${WORDS[word] ?? word}›`)
}

const WORDS: Record<string, string> = {
  hostname: 'your domain',
  zone: 'your zone',
  target: 'the value shown',
  type: 'record type',
  answer: 'what was answered',
  registrable: 'registered domain',
  parent: 'the domain above',
  servers: 'nameservers',
  label: 'name',
  proofReason: 'why it is needed',
  proofName: 'the proof’s name',
  proofLabel: 'the proof’s label',
  proofValue: 'the proof’s value',
  decidedAt: 'deciding name',
  owner: 'deciding record',
  caaZone: 'the zone of that record',
  caaLabel: 'its name there',
  caaTag: 'issue',
  caaValue: 'the authority',
  caaSecond: '',
  addresses: 'our addresses',
  found: 'what was found',
  doubled: 'doubled name',
  right: 'servers that are right',
  wrong: 'what the others answer',
  expectation: 'by when caches expire',
  until: 'time',
}

if (import.meta.main) {
  const page = readFileSync(GUIDE_FILE, 'utf8')
  const wanted = guideWithProblems(page)
  if (!process.argv.includes('--check')) writeFileSync(GUIDE_FILE, wanted)
  else if (page !== wanted) {
    console.error('docs/custom-domains.md does not have the present problems: run npm run domains:guide.')
    process.exitCode = 1
  }
}
