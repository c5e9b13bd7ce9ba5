// An hour's work as Fastify's users write it: schemas for what comes in and goes out, prepared statements, SQLite with
// the service's durability (a 201 is fsynced). No keys, no tenants, no validators, integers up to 2^53.
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'

const [port, file] = process.argv.slice(2)
const db = new DatabaseSync(file)
db.exec(`pragma journal_mode = wal; pragma synchronous = full;
  create table if not exists pets (
    id integer primary key autoincrement, name text not null, categoryId integer not null, status text not null
  );
  create index if not exists pets_by_status on pets (status, id)`)
const COLUMNS = 'id, name, categoryId, status'
const page = db.prepare(`select ${COLUMNS} from pets where id > ? order by id limit ?`)
const pageByStatus = db.prepare(`select ${COLUMNS} from pets where status = ? and id > ? order by id limit ?`)
const one = db.prepare(`select ${COLUMNS} from pets where id = ?`)
const add = db.prepare(`insert into pets (name, categoryId, status) values (?, ?, ?) returning ${COLUMNS}`)

const status = { type: 'string', enum: ['available', 'pending', 'sold'] }
const fields = { name: { type: 'string', minLength: 1, maxLength: 255 }, categoryId: { type: 'integer' }, status }
const Pet = { type: 'object', properties: { id: { type: 'integer' }, ...fields } }
const Missing = { type: 'object', properties: { code: { type: 'string' }, message: { type: 'string' } } }
const limit = { type: 'integer', minimum: 1, maximum: 100, default: 20 }
const querystring = { type: 'object', properties: { limit, status, after: { type: 'integer', default: 0 } } }
const params = { type: 'object', properties: { id: { type: 'integer' } } }
const body = { type: 'object', required: ['name', 'categoryId'], properties: fields }

const app = Fastify()
app.get('/pets', { schema: { querystring, response: { 200: { type: 'array', items: Pet } } } }, async (request) => {
  const { limit, after, status } = request.query
  return status === undefined ? page.all(after, limit) : pageByStatus.all(status, after, limit)
})
app.get('/pets/:id', { schema: { params, response: { 200: Pet, 404: Missing } } }, async (request, reply) => {
  const pet = one.get(request.params.id)
  return pet ?? reply.code(404).send({ code: 'not_found', message: 'There is no such animal.' })
})
app.post('/pets', { schema: { body, response: { 201: Pet } } }, async (request, reply) => {
  const { name, categoryId, status = 'available' } = request.body
  reply.code(201)
  return add.get(name, categoryId, status)
})
await app.listen({ port: Number(port), host: '127.0.0.1' })
