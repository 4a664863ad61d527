import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A network between clients and a server, which can be cut. */
export interface Network {
  /** Nothing arrives any more, and no side learns that the other one is gone. */
  cut(): void
  /** What was held back arrives, and new connections are made. */
  mend(): void
  close(): Promise<void>
}

/** Starts a network between two addresses, each a port of the loopback or the path of a socket. */
export async function networkBetween(
  inside: number | string,
  outside: number | string,
): Promise<Network> {
  const sockets = new Set<Socket>()
  let isCut = false
  const join = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', (bytes) => void to.write(bytes))
    from.on('error', () => undefined)
    from.on('close', () => {
      sockets.delete(from)
      if (!isCut) to.destroy()
    })
    if (isCut) from.pause()
  }
  const server = createServer((inner) => {
    const outer = typeof outside === 'number' ? connect(outside, '127.0.0.1') : connect(outside)
    join(inner, outer)
    join(outer, inner)
  })
  if (typeof inside === 'number') server.listen(inside, '127.0.0.1')
  else server.listen(inside)
  await once(server, 'listening')
  return {
    cut() {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    mend() {
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
