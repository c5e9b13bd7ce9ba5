import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

interface ReceivedMail {
  from: string
  to: string
  text: string
}

export interface SmtpServer extends AsyncDisposable {
  readonly url: string
  readonly mails: ReceivedMail[]
  /** Refuses every mail with 451 while true. */
  busy: boolean
  /** Addresses that are refused with 550. */
  readonly unknown: Set<string>
  /** Addresses that are put off with 452. */
  readonly full: Set<string>
}

/** A mail server that keeps what it is given: RFC 5321 as far as a client needs it, without TLS. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    converse(socket, smtp)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const smtp: SmtpServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails: [],
    busy: false,
    unknown: new Set(),
    full: new Set(),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
  return smtp
}

function converse(socket: Socket, smtp: SmtpServer): void {
  const say = (line: string) => socket.write(`${line}\r\n`)
  let mail: ReceivedMail = { from: '', to: '', text: '' }
  let inData = false
  let received = ''
  say('220 mail.test ESMTP')
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    received += chunk
    for (let end = received.indexOf('\r\n'); end !== -1; end = received.indexOf('\r\n')) {
      const line = received.slice(0, end)
      received = received.slice(end + 2)
      if (inData) takeText(line)
      else command(line)
    }
  })

  function takeText(line: string): void {
    if (line !== '.') {
      mail.text += `${line.replace(/^\./, '')}\n`
      return
    }
    inData = false
    smtp.mails.push(mail)
    say('250 OK')
  }

  function command(line: string): void {
    const [verb = ''] = line.toUpperCase().split(' ')
    const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (verb === 'EHLO' || verb === 'HELO') return void say('250 mail.test')
    if (verb === 'STARTTLS') return void say('502 No TLS here')
    if (verb === 'QUIT') return void socket.end('221 Bye\r\n')
    if (verb === 'MAIL' && smtp.busy) return void say('451 Busy, try again later')
    if (verb === 'MAIL') mail = { from: address, to: '', text: '' }
    if (verb === 'RCPT' && smtp.unknown.has(address)) return void say('550 5.1.1 No such person here')
    if (verb === 'RCPT' && smtp.full.has(address)) return void say('452 4.2.2 The mailbox is full')
    if (verb === 'RCPT') mail.to = address
    if (verb === 'DATA') {
      inData = true
      return void say('354 Go on')
    }
    say('250 OK')
  }
}
