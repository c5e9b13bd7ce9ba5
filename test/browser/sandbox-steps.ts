import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import type { Page } from 'playwright-core'
import { publishOwnSite } from '../harness/own-site.ts'
import type { Dashboard } from './dashboard.ts'
import { choose } from './steps.ts'

export interface ShownRecord {
  type: string
  name: string
  value: string
  ttl: string
}

/** The DNS record values, read off the screen. */
export async function recordOnScreen(page: Page): Promise<ShownRecord> {
  const cell = async (label: string) =>
    (await page.locator(`.record-table td[data-label="${label}"]`).first().innerText()).trim()
  return { type: await cell('Type'), name: await cell('Name'), value: await cell('Value'), ttl: await cell('TTL') }
}

/** Types a record in at the sandbox registrar. */
export async function createRecord(
  page: Page,
  { type, name, value }: Pick<ShownRecord, 'type' | 'name' | 'value'>,
): Promise<void> {
  await choose(page, page, 'Type', type)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('textbox', { name: 'Value', exact: true }).fill(value)
  await page.getByRole('button', { name: 'Add record' }).click()
  await page.getByRole('cell', { name: value }).waitFor()
}

/** Adds a domain with its right record, and chooses Verify. */
export async function attach(dashboard: Dashboard, hostname: string): Promise<void> {
  await publishOwnSite(dashboard.shop.petstore)
  const { record } = await dashboard.api('/projects/petstore/domains', 'POST', { hostname })
  const { type, name, value } = record.record
  await dashboard.api(`/sandbox/zones/${hostname.split('.').slice(-2).join('.')}/records`, 'POST', {
    type,
    name,
    value,
  })
  await dashboard.api(`/projects/petstore/domains/${hostname}/verify`, 'POST')
}

/** Of a real answer over HTTPS, from the address that the sandbox's DNS gives to every domain. */
export function headersOf({ shop }: Dashboard, hostname: string): Promise<IncomingHttpHeaders> {
  const { httpsPort } = shop.config
  return new Promise((resolve, reject) => {
    const asked = request(
      {
        host: '127.0.0.1',
        port: httpsPort,
        servername: hostname,
        headers: { Host: `${hostname}:${httpsPort}` },
        rejectUnauthorized: false,
        agent: false,
      },
      (response) => {
        response.resume()
        resolve(response.headers)
      },
    )
    asked.on('error', reject).end()
  })
}
