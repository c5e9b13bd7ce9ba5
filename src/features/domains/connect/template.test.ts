import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connectTemplates } from './template.ts'

const FOLDER = join(import.meta.dirname, '../../../../deploy/domain-connect')

test('the templates that are offered for publication are those that the service asks for', () => {
  const templates = connectTemplates({
    providerId: 'pets.example.com',
    platformHost: 'pets.example.com',
    dashboardHost: 'api.pets.example.com',
    addresses: { v4: ['203.0.113.7'], v6: ['2001:db8::7'] },
    challengeApex: 'acme.pets.example.com',
  })
  assert.equal(templates.length, readdirSync(FOLDER).filter((name) => name.endsWith('.json')).length)
  for (const template of templates) {
    const name = `${template.providerId}.${template.serviceId}.json`
    assert.deepEqual(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')), template, name)
    // What the public repository of templates insists on.
    const hosts = template.records.map(({ host }) => host)
    assert.ok(
      hosts.every((host) => !host.includes('%')),
      'a variable in a host',
    )
    const isBare = template.records.some((record) =>
      /^%[^%]*%$/.test(record.type === 'TXT' ? record.data : record.pointsTo),
    )
    assert.equal(isBare, false, 'a variable that is the whole value')
    const hasCname = template.records.some(({ type, host }) => type === 'CNAME' && host === '@')
    assert.equal(template.hostRequired ?? false, hasCname)
  }
})
