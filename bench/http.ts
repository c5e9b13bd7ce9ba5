import { createPetstore } from '../client/src/client.ts'
import { sideBySide } from './load.ts'
import { report, type Row } from './report.ts'
import { installPeers, startBare, startExpress, startJsonServer, startPetstore, startPrism } from './servers.ts'

/** The interface against a bare server that writes the same bytes, and against what users would pick instead. */
installPeers()
await using petstore = await startPetstore()
const headers = { Authorization: `Bearer ${petstore.key}` }
const json = { 'Content-Type': 'application/json' }
const NEW_PET = JSON.stringify({ name: 'Rex the dog', categoryId: 12, status: 'available' })

const client = createPetstore({ key: petstore.key, baseUrl: petstore.url })
const animals = []
for (let count = 1; count <= 40; count++)
  animals.push(await client.pets.create({ name: 'Rex the dog', categoryId: 12 }))

await using bare = await startBare(petstore, [
  { method: 'GET', path: '/pets/3' },
  { method: 'GET', path: '/pets' },
  { method: 'POST', path: '/pets', body: NEW_PET },
])

const rows: Row[] = []
const against = async (operation: string, floor: number, path: string, body?: string) => {
  const load = body ? ({ method: 'POST', body, headers: { ...headers, ...json } } as const) : { headers }
  const { service, yardstick } = sideBySide({
    service: { ...load, url: `${petstore.url}${path}` },
    yardstick: { ...load, url: `${bare.url}/v1${path}` },
  })
  rows.push({ what: `${operation} / bare node:http`, service, other: yardstick as number, floor } as Row)
}
await against('listPets', 0.75, '/pets')
await against('getPet', 0.7, '/pets/3')
await against('durable createPet', 0.45, '/pets', NEW_PET)

report('Interface, 64 connections, one core', rows.splice(0))

await using express = await startExpress()
for (const animal of animals) {
  await fetch(`${express.url}/pets`, { method: 'POST', headers: json, body: JSON.stringify(animal) })
}
await using jsonServer = await startJsonServer(animals)
await using prism = await startPrism(await (await fetch(`${petstore.url}/openapi.json`)).text())
const peers = sideBySide({
  petstore: { headers, url: `${petstore.url}/pets` },
  express: { url: `${express.url}/pets` },
  'json-server': { url: `${jsonServer.url}/pets?_limit=20` },
  prism: { headers, url: `${prism.url}/pets` },
})
const fastest = Math.max(peers['json-server'] as number, peers.prism as number)
rows.push({ what: 'listPets / Express + SQLite', service: peers.petstore as number, other: peers.express as number })
rows.push({ what: 'listPets / json-server', service: peers.petstore as number, other: peers['json-server'] as number })
rows.push({ what: 'listPets / Prism', service: peers.petstore as number, other: peers.prism as number })
rows.push({
  what: 'listPets / faster of json-server and Prism',
  service: peers.petstore as number,
  other: fastest,
  floor: 4,
})

const creates = sideBySide({
  petstore: { method: 'POST', body: NEW_PET, headers: { ...headers, ...json }, url: `${petstore.url}/pets` },
  express: { method: 'POST', body: NEW_PET, headers: json, url: `${express.url}/pets` },
})
rows.push({
  what: 'durable createPet / Express + SQLite (WAL, FULL)',
  service: creates.petstore as number,
  other: creates.express as number,
})
report('Against what users would pick instead', rows)
