import { publishOwnSite } from '../../harness/own-site.ts'
import { until } from '../../harness/until.ts'
import { tarBytes } from '../../deploys/archive-bytes.ts'
import { expect } from '../../platform-api/house.ts'
import { below, made, PAGE, type Scene, type Stage, unique } from './scene.ts'

async function withSite(stage: Stage): Promise<void> {
  const plan = { method: 'PUT', body: { plan: 'pro' } }
  expect(200, await stage.house.operator.browser.send(`/operator${below(stage)}/plan`, plan))
  await publishOwnSite(stage.house.shop.petstore, stage.project)
}

async function withDeploys(stage: Stage): Promise<string[]> {
  await withSite(stage)
  const deploys = expect(200, await stage.owner.browser.get(`${below(stage)}/deploys`))
  return deploys.map(({ id }: { id: string }) => id)
}

async function withDomain(stage: Stage): Promise<string> {
  await withSite(stage)
  const hostname = `${unique()}.example.test`
  await made(stage, '/domains', { hostname })
  return hostname
}

const ofDeploy: Scene = async (stage) => ({ parameters: { deploy: (await withDeploys(stage))[0] as string } })
const ofDomain: Scene = async (stage) => ({ parameters: { hostname: await withDomain(stage) } })

/** Deploys, domains, and the sandbox. */
export const SITE_SCENES: Record<string, Scene> = {
  deployDirectory: async (stage) => {
    const blob = { method: 'PUT', body: PAGE.bytes.toString(), headers: { 'Content-Type': 'application/octet-stream' } }
    expect(204, await stage.owner.browser.send(`${below(stage)}/blobs/${PAGE.sha256}`, blob))
    return { body: { files: [{ path: 'index.html', sha256: PAGE.sha256, bytes: PAGE.bytes.length }] } }
  },
  getDeploy: ofDeploy,
  listDeployFiles: ofDeploy,
  activateDeploy: async (stage) => ({ parameters: { deploy: (await withDeploys(stage)).at(-1) as string } }),
  deleteDeploy: async (stage) => ({ parameters: { deploy: (await withDeploys(stage)).at(-1) as string } }),
  deployArchive: () => ({
    body: tarBytes([{ name: 'index.html', content: 'Hello' }]),
    query: 'name=archive',
  }),
  sendBlob: () => ({ parameters: { sha256: PAGE.sha256 }, body: PAGE.bytes }),
  addDomain: async (stage) => {
    await withSite(stage)
    return { body: { hostname: `${unique()}.example.test` } }
  },
  showDomain: ofDomain,
  removeDomain: ofDomain,
  verifyDomain: ofDomain,
  makePrimary: ofDomain,
  redirectDomain: async (stage) => {
    const hostname = await withDomain(stage)
    const other = `${unique()}.example.test`
    await made(stage, '/domains', { hostname: other })
    return { parameters: { hostname: other }, body: { to: hostname, status: 302 } }
  },
  changeHsts: async (stage) => ({ ...(await ofDomain(stage)), body: { seconds: 0 } }),
  domainEvidence: async (stage) => {
    const hostname = await withDomain(stage)
    await made(stage, `/domains/${hostname}/verify`, {}, 200)
    await until('it has been looked at', async () => {
      stage.house.clock.advance(200)
      return expect(200, await stage.owner.browser.get(`${below(stage)}/domains/${hostname}`)).lastCheck !== null
    })
    return { parameters: { hostname } }
  },
  checkServed: ofDomain,
  troubleshootDomain: ofDomain,
  danglingDns: ofDomain,
  getConnectOffer: ofDomain,
  beginConnect: ofDomain,
  finishConnect: async (stage) => {
    const { hostname, request } = await atProvider(stage)
    const answer = await stage.owner.browser.post('/sandbox/domain-connect/apply', { ...request, consents: true })
    const { redirect } = expect(200, answer)
    const state = new URL(redirect).searchParams.get('state')
    return { parameters: { hostname }, body: { state } }
  },
  getSwitch: ofDomain,
  compareSites: ofDomain,
  askResolvers: ofDomain,
  listCertificateAttempts: ofDomain,
  getIssuanceBudget: ofDomain,
  addSandboxZone: () => ({ body: { apex: `${unique()}.test` } }),
  removeSandboxZone: async (stage) => ({ parameters: { apex: await withZone(stage) } }),
  addSandboxRecord: async (stage) => ({
    parameters: { apex: await withZone(stage) },
    body: { name: 'www', type: 'A', value: '192.0.2.1', ttl: 60 },
  }),
  removeSandboxRecord: async (stage) => {
    const apex = await withZone(stage)
    const record = { name: 'www', type: 'A', value: '192.0.2.1' }
    const { id } = expect(201, await stage.owner.browser.post(`/sandbox/zones/${apex}/records`, record))
    return { parameters: { apex, record: id } }
  },
  addSandboxFault: async (stage) => ({ parameters: { apex: await withZone(stage) }, body: { kind: 'servfail' } }),
  removeSandboxFault: async (stage) => {
    const apex = await withZone(stage)
    const faults = `/sandbox/zones/${apex}/faults`
    return {
      parameters: { apex, fault: expect(201, await stage.owner.browser.post(faults, { kind: 'servfail' })).id },
    }
  },
  sandboxProviderSettings: () => ({ by: null, parameters: { domain: 'example.test' } }),
  sandboxProviderTemplate: async (stage) => {
    const { provider, service } = (await atProvider(stage)).request
    return { by: null, parameters: { provider, service } }
  },
  readSandboxConsent: async (stage) => ({ body: (await atProvider(stage)).request }),
  answerSandboxRequest: async (stage) => ({ body: { ...(await atProvider(stage)).request, consents: false } }),
}

async function withZone({ owner }: Stage): Promise<string> {
  const apex = `${unique()}.test`
  expect(204, await owner.browser.post('/sandbox/zones', { apex }))
  return apex
}

/** What the sandbox's provider is asked to do, as the browser brings it there. */
async function atProvider(stage: Stage) {
  const hostname = await withDomain(stage)
  const { url } = await made(stage, `/domains/${hostname}/connect`)
  const { pathname, search } = new URL(url)
  const [, provider = '', service = ''] = /providers\/([^/]+)\/services\/([^/]+)\/apply$/.exec(pathname) ?? []
  return { hostname, request: { provider, service, query: search.slice(1) } }
}
