import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkCommands, withCompletion } from '../../cli/src/command-table.ts'
import type { CommandTable } from '../../cli/src/line/command.ts'
import { commands } from '../../src/commands/command-table.ts'

const PROGRAMS: Record<string, CommandTable> = { installed: withCompletion(networkCommands), 'in a checkout': commands }

for (const [where, table] of Object.entries(PROGRAMS)) {
  test(`the examples of every command ${where} use options that exist, and all that are required`, async () => {
    let examples = 0
    for (const [name, [, load]] of Object.entries(table)) {
      const { command } = await load()
      const own = command.examples.filter((example) => new RegExp(`(?:^|\\| )petstore ${name}(?: |$)`).test(example))
      assert.ok(own.length > 0, `no example of ${name} is one of it`)
      for (const example of own) {
        const call = example.slice(example.indexOf(`petstore ${name}`)).split(/ [|<>] /, 1)[0] as string
        const flags = [...call.matchAll(/(?<= )--([\w-]+)/g)].map(([, flag]) => flag as string)
        assert.deepEqual(
          flags.filter((flag) => !command.options[flag]),
          [],
          example,
        )
        const required = Object.keys(command.options).filter((flag) => command.options[flag]?.required)
        assert.deepEqual(
          required.filter((flag) => !flags.includes(flag)),
          [],
          example,
        )
        examples++
      }
    }
    assert.ok(examples > 50, `only ${examples} examples were found`)
  })
}
