import { below, made, PAGE, PET, type Scene, type Stage, unique } from './scene.ts'
import { expect } from '../../platform-api/house.ts'

const withPet = async (stage: Stage) => String((await made(stage, '/environments/production/pets', PET)).id)
const withOrder = async (stage: Stage) =>
  String((await made(stage, '/environments/production/store/orders', { petId: Number(await withPet(stage)) })).id)
const ofPet: Scene = async (stage) => ({ parameters: { petId: await withPet(stage) } })
const ofKey: Scene = async (stage) => ({
  parameters: { key: (await made(stage, '/keys', { environment: 'staging' })).id },
})
const ofWebhook: Scene = async (stage) => ({ parameters: await withWebhook(stage) })

/** Projects, keys, tokens, webhooks, animals and orders. */
export const PROJECT_SCENES: Record<string, Scene> = {
  createProject: () => ({ body: { slug: `made-${unique()}`, name: 'Made' } }),
  updateProject: () => ({ body: { name: 'Another name' } }),
  deleteProject: ({ project }) => ({ body: { confirm: project } }),
  createKey: () => ({ body: { environment: 'production', name: 'Till', scopes: ['read'] } }),
  rotateKey: async (stage) => ({ ...(await ofKey(stage)), body: { overlapHours: 1 } }),
  revokeKey: ofKey,
  createToken: () => ({ body: { name: 'CI', scopes: ['deploys:write'], expiresInDays: 7 } }),
  getToken: async (stage) => ({
    by: null,
    token: (await made(stage, '/tokens', { name: 'CI', scopes: ['audit:read'] })).token,
  }),
  revokeToken: async (stage) => ({
    parameters: { token: (await made(stage, '/tokens', { name: 'CI', scopes: ['audit:read'] })).id },
  }),
  createWebhook: () => ({ body: { url: 'https://hooks.example.com/', events: ['pet.created'] } }),
  changeWebhook: async (stage) => ({ ...(await ofWebhook(stage)), body: { name: 'Till', on: false } }),
  removeWebhook: ofWebhook,
  rotateWebhook: async (stage) => ({ ...(await ofWebhook(stage)), body: { overlapHours: 1 } }),
  testWebhook: ofWebhook,
  listWebhookMessages: async (stage) => ({ ...(await ofWebhook(stage)), query: 'limit=1' }),
  showWebhookMessage: ofWebhook,
  resendWebhookMessage: ofWebhook,
  openListener: () => ({ body: { events: ['pet.created'] } }),
  fetchMessages: async (stage) => ({ parameters: await withListener(stage), query: 'wait=0' }),
  forwardedMessage: async (stage) => ({
    parameters: await withListener(stage),
    body: { url: 'http://localhost:3000/', status: 200, durationMs: 3 },
  }),
  closeListener: async (stage) => ({ parameters: await withListener(stage) }),
  readNotifications: () => ({ body: { upTo: 1 } }),
  listPets: async (stage) => {
    await withPet(stage)
    return { query: 'limit=1&status=available&order=newest' }
  },
  createPet: () => ({ body: { ...PET, status: 'pending' } }),
  getPet: ofPet,
  updatePet: async (stage) => ({ ...(await ofPet(stage)), body: { status: 'sold' } }),
  deletePet: ofPet,
  listOrders: async (stage) => {
    await withOrder(stage)
    return { query: 'status=placed' }
  },
  createOrder: async (stage) => ({ body: { petId: Number(await withPet(stage)) } }),
  getOrder: async (stage) => ({ parameters: { orderId: await withOrder(stage) } }),
  updateOrder: async (stage) => ({
    parameters: { orderId: await withOrder(stage) },
    body: { status: 'completed' },
  }),
  countPets: () => ({ query: 'status=available' }),
  getImport: () => ({ parameters: { sha256: PAGE.sha256 } }),
  importPets: () => ({
    parameters: { sha256: PAGE.sha256 },
    body: { after: 0, through: 1, animals: [PET], last: true },
  }),
  getUsage: () => ({ query: 'days=7&environment=production' }),
  listAudit: () => ({ query: 'limit=1' }),
}

async function withWebhook(stage: Stage) {
  const webhook = (await made(stage, '/webhooks', { url: 'https://hooks.example.com/' })).id as string
  return { webhook, message: (await made(stage, `/webhooks/${webhook}/test`)).id as string }
}

async function withListener(stage: Stage) {
  const listener = (await made(stage, '/listeners')).id as string
  await made(stage, '/environments/production/pets', PET)
  const messages = await stage.owner.browser.get(`${below(stage)}/listeners/${listener}/messages`)
  return { listener, message: expect(200, messages)[0].id as string }
}
