import type { Socket } from 'node:net'
import type pg from 'pg'

/** How long a server may owe an answer before the connection is checked. */
const silenceMs = 3000

/** The socket of a client, and whether the client waits for an answer, which the types leave out. */
interface ClientSocket {
  connection: { stream: Socket }
  readyForQuery: boolean
}

/**
 * The connections to one server. They are closed if the server neither answers a statement nor accepts
 * another connection, as after a power failure or in a partitioned network. Without this, a statement
 * would wait until TCP gives up, after a quarter of an hour. A slow statement is not affected: a
 * server that is alive accepts the other connection. Statements that wait fail with the code
 * ETIMEDOUT, each after its own time; connections that are idle are closed together.
 */
export class ServerConnections {
  readonly #clients = new Set<pg.Client>()
  readonly #isAlive: () => Promise<boolean>

  /** `isAlive` makes another connection. */
  constructor(isAlive: () => Promise<boolean>) {
    this.#isAlive = isAlive
  }

  /** Adds a client that has connected to the server. */
  add(client: pg.Client): void {
    this.#clients.add(client)
    client.once('end', () => this.#clients.delete(client))
    const { stream } = socketOf(client).connection
    stream.setTimeout(silenceMs)
    stream.on('timeout', () => void this.#check(client))
  }

  async #check(client: pg.Client): Promise<void> {
    const socket = socketOf(client)
    if (socket.readyForQuery) return
    if (await this.#isAlive()) return void socket.connection.stream.setTimeout(silenceMs)
    // The answer arrived meanwhile.
    if (socket.readyForQuery) return
    close(client)
    for (const each of this.#clients) if (socketOf(each).readyForQuery) close(each)
  }
}

const socketOf = (client: pg.Client) => client as unknown as ClientSocket

function close(client: pg.Client): void {
  const message = `The database at ${client.host}:${client.port} does not answer.`
  const error = Object.assign(new Error(message), { code: 'ETIMEDOUT' })
  socketOf(client).connection.stream.destroy(error)
}
