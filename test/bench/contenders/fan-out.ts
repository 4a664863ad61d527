import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'

// The limit: what is told is sent to every socket from memory. No database, no rights, no joins, no resuming.
const port = Number(process.argv[3])
const sockets = new WebSocketServer({ noServer: true })
let position = 0

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    position++
    const event = {
      position: String(position),
      type: 'parties.party.created',
      subjectId: `party/pty_${position}`,
      time: new Date().toISOString(),
    }
    const payload = { data: { businessEvents: event } }
    const frame = JSON.stringify({ id: 'one', type: 'next', payload })
    for (const socket of sockets.clients) socket.send(frame)
    response.end('{}')
  })
})
server.on('upgrade', (request, socket, head) =>
  sockets.handleUpgrade(request, socket, head, (client) => {
    client.once('message', () => client.send('{"type":"connection_ack"}'))
  }),
)
process.on('message', () => process.send!(process.cpuUsage()))
server.listen(port, '127.0.0.1', () => process.send!({ token: 'none' }))
