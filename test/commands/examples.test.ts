import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Command } from '../../src/commands/line/command.ts'

const ROOT = fileURLToPath(new URL('../../src/commands', import.meta.url))

test('the examples of every command use options that exist, and all that are required', async () => {
  // Not every file is for importing: a worker starts a service.
  const files = globSync('**/*.ts', { cwd: ROOT }).filter((file) =>
    readFileSync(`${ROOT}/${file}`, 'utf8').includes('export const command ='),
  )
  let examples = 0
  for (const file of files) {
    const { command } = (await import(`${ROOT}/${file}`)) as { command: Command }
    assert.ok(command.examples.length > 0, `${file} has no example`)
    const word = file.replace(/^.*\//, '').replace('.ts', '')
    const own = command.examples.filter((example) => new RegExp(`^petstore (?:[\\w-]+ )*${word}\\b`).test(example))
    assert.ok(own.length > 0, `no example of ${file} begins with its command`)
    for (const example of own) {
      const [call = ''] = example.split(/ [|<>] /)
      const flags = [...call.matchAll(/(?<= )--([\w-]+)/g)].map(([, flag]) => flag as string)
      assert.deepEqual(
        flags.filter((flag) => !command.options[flag]),
        [],
        example,
      )
      const required = Object.keys(command.options).filter((flag: string) => command.options[flag]?.required)
      const lacking: string[] = required.filter((flag) => !flags.includes(flag))
      assert.deepEqual(lacking, [], example)
      examples++
    }
  }
  assert.ok(examples > 50, `only ${examples} examples were found`)
})
