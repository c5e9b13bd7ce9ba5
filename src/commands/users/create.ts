import { readConfig } from '../../config.ts'
import { createAccount } from '../../features/accounts/accounts.ts'
import { findProject } from '../../features/projects/projects.ts'
import { ROLES } from '../../features/accounts/role.ts'
import { defineCommand, UsageError } from '../../../cli/src/line/command.ts'
import { json, project } from '../../../cli/src/line/options.ts'
import { auditedStorage, openPlainStorage } from '../storage.ts'
import { mailSealerOf, printLink, wasMailed } from './link-mail.ts'
import { passwordStdin, readNewPassword, usePasswordLink } from './password.ts'

export const command = defineCommand({
  about: `Creates an account for the dashboard and for petstore login. Where a mail server is configured, the person
gets a link by mail on which to choose a password; elsewhere the link is printed. It works once, for a day.`,
  arguments: [{ name: 'EMAIL', help: 'the address that the person signs in with' }],
  options: {
    name: { type: 'string', value: 'NAME', help: 'the name of the person' },
    project: { ...project, help: 'a project that the person becomes a member of' },
    role: { type: 'string', choices: ROLES, help: 'what the member may do there; owner unless told' },
    operator: { type: 'boolean', help: 'let the person run the platform: all projects, plans and accounts' },
    'print-link': printLink,
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
    const config = readConfig()
    await using database = await openPlainStorage(config)
    const storage = auditedStorage(database, config, clock)
    const joined = values.project === undefined ? undefined : await findProject({ storage }, values.project)
    const mailSealer = await mailSealerOf(database, config, values)
    const { link, ...account } = await createAccount(
      { storage, clock, dashboardUrl: config.baseUrl.origin, mailSealer },
      {
        email,
        name: values.name,
        operator: values.operator,
        membership: joined && { projectId: joined.id, role: values.role ?? 'owner' },
      },
    )
    if (password !== undefined) await usePasswordLink({ storage, clock }, link, password)
    const isShown = password === undefined && !mailSealer
    if (values.json) return terminal.printJson({ ...account, mailed: Boolean(mailSealer), ...(isShown && { link }) })
    const next = isShown ? chooseAt(link) : mailSealer ? wasMailed(account.email) : signInAs(account.email)
    terminal.print(`Created the account ${account.email}. ${next}`)
  },
})

const signInAs = (email: string) => `Sign in with:\n\n  petstore login --email ${email}`

const chooseAt = (link: string) => `The password is chosen on this page, which works once, for a day:\n\n  ${link}`
