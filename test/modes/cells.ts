/** Two cells, each a complete bank with a PostgreSQL of its own, behind the router of the example. */
import { randomUUID } from 'node:crypto'
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { urlOfRunningServer } from '../../host/embedded-postgres.ts'
import { crashAt, examplesFor, type Examples, type RunningExample } from '../examples/kit.ts'
import { freePort } from '../kit/free-port.ts'
import { liveToken, startProgram, type Program } from './kit.ts'

export const cellNames = ['north', 'south'] as const
export type CellName = (typeof cellNames)[number]

interface Cell {
  url: string
  dataDir: string
  settings: Record<string, string>
  program: Program | null
}

export interface Answer {
  status: number
  // Responses have any shape.
  body: any
}

/** The party of the south that the directory names. All others are of the north. */
export const southernParty = 'pty_south'

/** The cells, their router, and what a client of the bank sends through it. */
export class Cells {
  readonly folder: string
  readonly routerUrl: string
  readonly #cells: Record<CellName, Cell>
  readonly #examples: Examples
  readonly #routerSettings: Record<string, string>
  #router: RunningExample | null = null
  readonly token: string

  private constructor(
    folder: string,
    cells: Record<CellName, Cell>,
    examples: Examples,
    routerSettings: Record<string, string>,
    token: string,
  ) {
    this.folder = folder
    this.#cells = cells
    this.#examples = examples
    this.#routerSettings = routerSettings
    this.routerUrl = `http://127.0.0.1:${routerSettings['PORT']}`
    this.token = token
  }

  static async start(): Promise<Cells> {
    const folder = await mkdtemp(join(tmpdir(), 'bankgraph-cells-'))
    const north = await newCell(folder, 'north', {})
    north.program = await startProgram([], north.settings)
    // The tokens of the north are valid in the south, as those of the bank's identity provider.
    const south = await newCell(folder, 'south', {
      AUTH_ISSUER: north.url,
      AUTH_AUDIENCE: north.url,
      AUTH_JWKS_URI: `${north.url}/.well-known/jwks.json`,
    })
    south.program = await startProgram([], south.settings)
    const { live } = JSON.parse(await readFile(join(north.dataDir, 'credentials.json'), 'utf8'))
    const directory = { default: 'north', parties: { [southernParty]: 'south' } }
    await writeFile(join(folder, 'directory.json'), JSON.stringify(directory))
    const routerSettings = {
      PORT: String(await freePort()),
      BANK_URL: north.url,
      CELLS: JSON.stringify({ north: north.url, south: south.url }),
      DIRECTORY_FILE: join(folder, 'directory.json'),
      POSITIONS_FOLDER: join(folder, 'positions'),
    }
    const token = await liveToken(north.dataDir, north.url)
    const examples = await examplesFor({ credentials: live })
    const cells = new Cells(folder, { north, south }, examples, routerSettings, token)
    await cells.startRouter().catch(async (error: Error) => {
      await cells.stop()
      throw error
    })
    return cells
  }

  url(name: CellName): string {
    return this.#cells[name].url
  }

  dataDir(name: CellName): string {
    return this.#cells[name].dataDir
  }

  /** Starts the router. With `crashAt` it dies when a cell has answered a request with this text. */
  async startRouter(text?: string): Promise<RunningExample> {
    const settings = { ...this.#routerSettings, ...(text && crashAt(text)) }
    this.#router = this.#examples.start('cells', settings)
    await this.#router.prints('Routing to')
    return this.#router
  }

  /** Starts another router, for which the south is at `url`. */
  async routerWithSouthAt(url: string, settings: Record<string, string>) {
    const port = String(await freePort())
    const router = this.#examples.start('cells', {
      ...this.#routerSettings,
      PORT: port,
      CELLS: JSON.stringify({ north: this.url('north'), south: url }),
      CARRY: 'off',
      ...settings,
    })
    await router.prints('Routing to')
    return { url: `http://127.0.0.1:${port}`, stop: () => router.stop('SIGKILL') }
  }

  /** Returns the position in the event log of a cell up to which its transfers were carried. */
  async carriedPosition(name: CellName): Promise<number> {
    const path = join(this.#routerSettings['POSITIONS_FOLDER']!, `${name}.position`)
    return Number(await readFile(path, 'utf8').catch(() => '0'))
  }

  async removePositions(): Promise<void> {
    await rm(this.#routerSettings['POSITIONS_FOLDER']!, { recursive: true })
  }

  /** Lets all idempotency keys of a cell expire. */
  async expireKeys(name: CellName): Promise<void> {
    const folder = join(this.#cells[name].dataDir, 'postgres')
    const client = new pg.Client(await urlOfRunningServer(folder, 'bankgraph_live'))
    await client.connect()
    const { rowCount } = await client.query('delete from kernel.idempotency')
    await client.end()
    if (!rowCount) throw new Error('No key was there.')
  }

  async killRouter(): Promise<void> {
    await this.#router?.stop('SIGKILL')
    this.#router = null
  }

  /** Kills the process of a cell and, if `withDatabase`, its PostgreSQL at the same moment. */
  async killCell(name: CellName, withDatabase: boolean): Promise<void> {
    const cell = this.#cells[name]
    const server = withDatabase ? await serverOf(cell) : null
    const ended = cell.program?.end('SIGKILL')
    if (server) process.kill(server, 'SIGKILL')
    await ended
    cell.program = null
  }

  async startCell(name: CellName): Promise<void> {
    const cell = this.#cells[name]
    cell.program = await startProgram([], cell.settings)
  }

  async stop(): Promise<void> {
    await this.#examples.stop()
    for (const name of cellNames) await this.#cells[name].program?.end()
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  /** Sends a request through the router; null if nothing was answered. */
  async send(
    path: string,
    body: object | null,
    headers: Record<string, string> = {},
  ): Promise<Answer | null> {
    try {
      const response = await fetch(`${this.routerUrl}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${this.token}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    } catch {
      return null
    }
  }

  /** Sends a document to a cell, or to `all`. Throws if it fails. */
  async graph(cell: CellName | 'all', query: string, variables: object = {}): Promise<any> {
    const headers = { cell, 'idempotency-key': randomUUID() }
    const answer = await this.send('/graphql', { query, variables }, headers)
    if (!answer || answer.body.errors || answer.status !== 200) throw new Error(text(answer))
    return answer.body.data
  }
}

const text = (answer: Answer | null) => JSON.stringify(answer)

async function newCell(
  folder: string,
  name: string,
  changes: Record<string, string>,
): Promise<Cell> {
  const port = await freePort()
  const dataDir = join(folder, name)
  const settings = { DATA_DIR: dataDir, PORT: String(port), SANDBOX_PORT: 'off', ...changes }
  return { url: `http://127.0.0.1:${port}`, dataDir, settings, program: null }
}

/** Returns the process ID of the cell's PostgreSQL; null if it does not run. */
async function serverOf({ dataDir }: Cell): Promise<number | null> {
  try {
    const path = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
    return Number((await readFile(path, 'utf8')).split('\n')[0])
  } catch {
    return null
  }
}

/** Opens accounts with an amount in a cell. Returns their IDs. */
export async function openAccounts(
  cells: Cells,
  cell: CellName,
  count: number,
  cents: number,
): Promise<string[]> {
  const graph = (query: string, variables?: object) => cells.graph(cell, query, variables)
  await graph(`mutation { createProduct(input: { productId: "prd_${cell}", name: "Current account",
    productClass: "current-account", status: "active", version: "2026.1", currencies: ["EUR"] }) { productId } }`)
  await graph(`mutation { createParty(input: { partyId: "pty_${cell}", kind: PERSON,
    givenName: "Ada", familyName: "${cell}", dateOfBirth: "1982-03-23" }) { partyId } }`)
  const customer = `customerId: "cus_${cell}"`
  await graph(`mutation { createCustomer(input: { ${customer}, partyId: "pty_${cell}",
    segment: "retail" }) { status } }`)
  await graph(`mutation { startKyc(${customer}) { kycState } }`)
  await graph(`mutation { passKyc(${customer}, expiresOn: "2099-12-31") { kycState } }`)
  await graph(`mutation { activateCustomer(${customer}) { status } }`)
  // Subgraphs read the customer from published facts, which arrive a moment later.
  await sleep(100)
  const ids = Array.from({ length: count }, (_, at) => `arr_${cell}_${at}`)
  for (const arrangementId of ids) {
    await graph(`mutation { openAccountArrangement(input: { arrangementId: "${arrangementId}",
      customerId: "cus_${cell}", productId: "prd_${cell}" }) { state } }`)
    await graph(
      `mutation ($input: CreatePostingInstructionInput!) { createPostingInstruction(input: $input) { status } }`,
      {
        input: {
          arrangementId,
          direction: 'IN',
          amount: euros(cents),
          internalAccountCode: 'nostro',
        },
      },
    )
  }
  return ids
}

export const euros = (cents: number) => ({ amount: (cents / 100).toFixed(2), currency: 'EUR' })
