import { readConfig } from '../../config.ts'
import { createAccount } from '../../features/accounts/accounts.ts'
import { findProject } from '../../features/projects/projects.ts'
import { ROLES } from '../../features/accounts/role.ts'
import { defineCommand, UsageError } from '../line/command.ts'
import { json, project } from '../line/options.ts'
import { openCommandStorage } from '../storage.ts'
import { passwordStdin, readNewPassword, usePasswordLink } from './password.ts'

export const command = defineCommand({
  about: `Creates an account for the dashboard and for petstore login. It prints a link on which the person chooses a
password; the link works once, for a day.`,
  arguments: [{ name: 'EMAIL', help: 'the address that the person signs in with' }],
  options: {
    name: { type: 'string', value: 'NAME', help: 'the name of the person' },
    project: { ...project, help: 'a project that the person becomes a member of' },
    role: { type: 'string', choices: ROLES, help: 'what the member may do there; owner unless told' },
    operator: { type: 'boolean', help: 'let the person run the platform: all projects, plans and accounts' },
    'password-stdin': passwordStdin,
    json,
  },
  examples: [
    'petstore users create ada@example.com --project petstore',
    'petstore users create grace@example.com --operator --json',
    'petstore users create ada@example.com --project petstore --role editor --password-stdin < password',
  ],
  async run({ values, arguments: [email], terminal, clock }) {
    if (values.role !== undefined && values.project === undefined) throw new UsageError('--role needs --project.')
    const password = values['password-stdin'] ? await readNewPassword(email) : undefined
    await using storage = await openCommandStorage(clock)
    const joined = values.project === undefined ? undefined : await findProject({ storage }, values.project)
    const { link, ...account } = await createAccount(
      { storage, clock, dashboardUrl: readConfig().baseUrl.origin },
      {
        email,
        name: values.name,
        operator: values.operator,
        membership: joined && { projectId: joined.id, role: values.role ?? 'owner' },
      },
    )
    if (password !== undefined) await usePasswordLink({ storage, clock }, link, password)
    if (values.json) return terminal.printJson(password === undefined ? { ...account, link } : account)
    const next = password === undefined ? chooseAt(link) : signInAs(account.email)
    terminal.print(`Created the account ${account.email}. ${next}`)
  },
})

const signInAs = (email: string) => `Sign in with:\n\n  petstore login --email ${email}`

const chooseAt = (link: string) => `The password is chosen on this page, which works once, for a day:\n\n  ${link}`
