import { iso } from '../../platform/iso-date.ts'
import { readFileSync } from 'node:fs'
import { explainEvidence } from '../../features/domains/observation/evidence.ts'
import { CommandError, defineCommand } from '../../../cli/src/line/command.ts'
import { columns } from '../../../cli/src/line/columns.ts'
import { moment } from '../../../cli/src/line/moment.ts'
import { json } from '../../../cli/src/line/options.ts'
import { problemsText } from '../../../cli/src/domains/text.ts'

export const command = defineCommand({
  about: `Diagnoses a saved check again: the same evidence always gives the same diagnosis. Needs no network, no service
and no database.`,
  arguments: [{ name: 'FILE', help: 'what petstore domains show DOMAIN --evidence has printed' }],
  options: { json },
  examples: [
    'petstore domains show www.example.com --project kennel --evidence > evidence.json',
    'petstore domains explain evidence.json',
  ],
  async run({ values, arguments: [file], terminal }) {
    const reading = explainEvidence(readFileSync(file, 'utf8'))
    if (!reading.ok) throw new CommandError(reading.message)
    const { diagnosis } = reading
    if (values.json) return terminal.printJson(diagnosis)
    const at = moment(iso(diagnosis.observedAt))
    const servers = diagnosis.nameservers.map(({ nameserver, address, status, isRight, answers }) => [
      nameserver,
      address,
      status,
      isRight ? 'right' : 'wrong',
      answers.join(', ') || 'nothing',
    ])
    const parts = [`${diagnosis.hostname}, as DNS was on ${at}: ${terminal.style('bold', diagnosis.outcome)}`]
    if (servers.length > 0) parts.push(columns([['NAMESERVER', 'ADDRESS', 'STATUS', 'RECORD', 'ANSWERS'], ...servers]))
    if (diagnosis.problems.length > 0) parts.push(problemsText(diagnosis.problems, terminal.style))
    terminal.print(parts.join('\n\n'))
  },
})
