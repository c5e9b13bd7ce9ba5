// An ordinary service as people write it: Express 5 and SQLite, prepared statements, default settings.
import { DatabaseSync } from 'node:sqlite'
import express from 'express'

const [port, file] = process.argv.slice(2)
const db = new DatabaseSync(file)
db.exec('pragma journal_mode = wal')
db.exec(
  'create table if not exists pets (id integer primary key autoincrement, name text, categoryId integer, ' +
    'status text)',
)
const list = db.prepare('select id, name, categoryId, status from pets where id > ? order by id limit ?')
const get = db.prepare('select id, name, categoryId, status from pets where id = ?')
const add = db.prepare('insert into pets (name, categoryId, status) values (?, ?, ?) returning *')

const app = express()
app.use(express.json())
app.get('/pets', (request, response) => response.json(list.all(0, Number(request.query.limit ?? 20))))
app.get('/pets/:id', (request, response) => response.json(get.get(Number(request.params.id))))
app.post('/pets', (request, response) => {
  const { name, categoryId, status = 'available' } = request.body
  response.status(201).json(add.get(name, categoryId, status))
})
app.listen(Number(port), '127.0.0.1', () => console.log('listening'))
