import { addMember } from '../../features/accounts/members.ts'
import { ROLES } from '../../features/accounts/role.ts'
import { findProject } from '../../features/projects/projects.ts'
import { defineCommand } from '../../../cli/src/line/command.ts'
import { json, project } from '../../../cli/src/line/options.ts'
import { openCommandStorage } from '../storage.ts'

export const command = defineCommand({
  about: 'Makes somebody who has an account a member of a project. Somebody without one: petstore users create.',
  arguments: [{ name: 'EMAIL', help: 'the address that the person signs in with' }],
  options: {
    project: { ...project, required: true },
    role: { type: 'string', choices: ROLES, help: 'what the member may do there; owner unless told' },
    json,
  },
  examples: [
    'petstore users add ada@example.com --project petstore',
    'petstore users add grace@example.com --project petstore --role editor --json',
  ],
  async run({ values, arguments: [email], terminal, clock }) {
    await using storage = await openCommandStorage(clock)
    const { id: projectId, slug } = await findProject({ storage }, values.project)
    const member = await addMember({ storage, clock }, { projectId, email, role: values.role ?? 'owner' })
    if (values.json) return terminal.printJson({ project: slug, ...member })
    terminal.print(`${member.email} is ${member.role} of ${slug} now.`)
  },
})
