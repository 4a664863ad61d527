import { createServer, type AddressInfo, type Socket } from 'node:net'

/** A mail server that speaks just enough SMTP, and answers the recipients as a test wants. */
export interface MailServer {
  /** As `SMTP_URL` has it. */
  url: string
  /** The messages it took, with their headers. */
  received: string[]
  /** What it answers to the next recipients; 250 when there is nothing left. */
  answers: string[]
  stop(): Promise<void>
}

/** Starts a mail server on a free port of this machine. It does not keep the process alive. */
export async function aMailServer(): Promise<MailServer> {
  const received: string[] = []
  const answers: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.unref()
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    let mail: string | null = null
    let rest = ''
    socket.write('220 mail server\r\n')
    socket.on('data', (bytes) => {
      rest += bytes.toString('utf8')
      for (let end; (end = rest.indexOf('\r\n')) >= 0; rest = rest.slice(end + 2)) {
        const line = rest.slice(0, end)
        if (mail !== null && line === '.') {
          received.push(mail)
          mail = null
          socket.write('250 taken\r\n')
        } else if (mail !== null) mail += `${line}\n`
        else if (line === 'DATA') {
          mail = ''
          socket.write('354 go on\r\n')
        } else if (line.startsWith('RCPT')) socket.write(`${answers.shift() ?? '250 ok'}\r\n`)
        else socket.write('250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}?from=bank@example.com`,
    received,
    answers,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

let shared: Promise<MailServer> | undefined

/** The mail server of this process, for platforms that need one and do not look at it. */
export function theMailServer(): Promise<MailServer> {
  shared ??= aMailServer()
  return shared
}
