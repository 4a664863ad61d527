/**
 * Two banks behind one router: requests reach the right cell, queries over both are joined or refused,
 * and transfers between them are neither lost nor doubled while cells and the router are killed.
 */
import { once } from 'node:events'
import { get } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../kit/eventually.ts'
import { random } from '../kit/random.ts'
import { cellNames, Cells, euros, openAccounts, southernParty, type CellName } from './cells.ts'
import { liveToken } from './kit.ts'

const accountsPerCell = 3
const openingCents = 100_000
const clients = 4
const kills = 8
const retryMs = 200

let cells: Cells
let accounts: Record<CellName, string[]>
beforeAll(async () => {
  cells = await Cells.start()
  accounts = {
    north: await openAccounts(cells, 'north', accountsPerCell, openingCents),
    south: await openAccounts(cells, 'south', accountsPerCell, openingCents),
  }
}, 240_000)
afterAll(() => cells?.stop())

test('the customer in the token decides, and a program of the bank names the cell', async () => {
  const query = '{ accountArrangements(first: 9) { nodes { arrangementId } } }'
  const idsOf = ({ nodes }: any) => nodes.map(({ arrangementId }: any) => arrangementId)
  for (const [partyId, cell] of [
    ['pty_north', 'north'],
    [southernParty, 'south'],
  ] as const) {
    const authorization = `Bearer ${await liveToken(cells.dataDir('north'), cells.url('north'), 'app', partyId)}`
    // The header of a customer does not count.
    const answer = await cells.send('/graphql', { query }, { authorization, cell: 'north' })
    expect(idsOf(answer!.body.data.accountArrangements)).toEqual(accounts[cell])
    const listed = await cells.send('/accounts', null, { authorization })
    expect(listed!.body).toHaveLength(accountsPerCell)
  }
  for (const cell of cellNames) {
    expect(idsOf((await cells.graph(cell, query)).accountArrangements)).toEqual(accounts[cell])
  }
  const problem = async (headers: Record<string, string>) => {
    const { status, body } = (await cells.send('/graphql', { query }, headers))!
    return [status, body.code]
  }
  expect(await problem({})).toEqual([400, 'CELL_REQUIRED'])
  expect(await problem({ cell: 'east' })).toEqual([400, 'CELL_UNKNOWN'])
  expect((await problem({ cell: 'south', authorization: `Bearer ${cells.token}x` }))[0]).toBe(401)
  const metadata = await cells.send('/.well-known/jwks.json', null, { authorization: '' })
  expect(metadata!.body.keys).toHaveLength(1)
})

test('a request to switch to a WebSocket is answered as a plain request', async () => {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-protocol': 'graphql-transport-ws',
  }
  const status = await new Promise((resolve, reject) => {
    const sent = get(`${cells.routerUrl}/graphql`, { headers, timeout: 10_000 }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.on('timeout', () => sent.destroy(new Error('The router does not answer.')))
    sent.on('error', reject)
  })
  expect(status).toBeGreaterThanOrEqual(200)
})

test('a cell that accepts connections and says nothing is unavailable', async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const router = await cells.routerWithSouthAt(`http://127.0.0.1:${port}`, {
    CELL_TIMEOUT_MS: '300',
  })
  for (const cell of ['south', 'all']) {
    const response = await fetch(`${router.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cells.token}`, 'content-type': 'application/json', cell },
      body: JSON.stringify({ query: '{ trialBalances { currency } }' }),
      signal: AbortSignal.timeout(10_000),
    })
    expect([response.status, await response.json()]).toMatchObject([
      503,
      { code: 'CELL_UNAVAILABLE', retryable: true },
    ])
  }
  await router.stop()
  for (const socket of sockets) socket.destroy()
  silent.close()
})

test('lists of both cells are joined; what cannot be joined is refused', async () => {
  const { body } = (await cells.send(
    '/graphql',
    { query: '{ all: trialBalances { currency difference } ledgerFindings { invariant } }' },
    { cell: 'all' },
  ))!
  const line = { currency: 'EUR', difference: '0.00' }
  expect(body.data).toEqual({ all: [line, line], ledgerFindings: [] })
  expect(body.extensions.cells).toEqual([
    { cell: 'north', all: 1, ledgerFindings: 0 },
    { cell: 'south', all: 1, ledgerFindings: 0 },
  ])
  const refused = [
    '{ accountArrangements(first: 9) { nodes { arrangementId } } }',
    '{ trialBalance(currency: "EUR") { difference } }',
    'mutation { createParty(input: { kind: PERSON }) { partyId } }',
    '{ ledgerFindings @skip(if: true) { invariant } }',
    'query { ...all } fragment all on Query { ledgerFindings { invariant } }',
    'nonsense',
  ]
  for (const query of refused) {
    const answer = await cells.send('/graphql', { query }, { cell: 'all' })
    expect([answer!.status, answer!.body.code]).toEqual([400, 'NOT_ACROSS_CELLS'])
  }
  expect((await cells.send('/accounts', null, { cell: 'all' }))!.body.code).toBe('NOT_ACROSS_CELLS')
  // A part of the answer is not the answer.
  const wrong = await cells.send('/graphql', { query: '{ ledgerFindings { x } }' }, { cell: 'all' })
  expect(wrong!.body.errors).toHaveLength(1)
  expect(wrong!.body.data).toBeFalsy()
})

/** A transfer that a cell has acknowledged. */
interface Transfer {
  from: string
  /** null if the other cell cannot credit it, so that the money comes back. */
  to: string | null
  cents: number
}

const done: Transfer[] = []
let rejected = 0

test('transfers between cells survive kills of the cells and of the router', async () => {
  let isRunning = true
  const client = async (_: unknown, at: number) => {
    const next = random(at + 1)
    for (let serial = 0; isRunning; serial++) await send(`transfer-${at}-${serial}`, next)
  }
  const load = Promise.all(Array.from({ length: clients }, client))
  const next = random(7)
  for (let kill = 0; kill < kills; kill++) {
    await sleep(300 + next() * 2500)
    const victim = (['router', ...cellNames] as const)[kill % 3]!
    if (victim === 'router') {
      await cells.killRouter()
      await cells.startRouter()
    } else {
      await cells.killCell(victim, next() < 0.5)
      await cells.startCell(victim)
    }
  }
  isRunning = false
  await load
  await expectSettled()
  console.log(`${done.length} transfers, ${rejected} rejected, ${kills} kills`)
  expect(done.filter(({ to }) => to).length).toBeGreaterThan(20)
  expect(done.filter(({ to }) => !to).length).toBeGreaterThan(3)
}, 600_000)

test('a router that dies between two steps of a transfer continues it', async () => {
  const [from, to] = [accounts.north[0]!, accounts.south[0]!]
  // After the other cell has answered the credit; after it has rejected it; after the return.
  for (const [creditor, at] of [
    [to, '"in/'],
    [null, '"in/'],
    [null, '"back/'],
  ] as const) {
    await cells.killRouter()
    const router = await cells.startRouter(at)
    await transfer(`crash-${done.length}`, { from, to: creditor, cents: 5 })
    expect(await router.ended).not.toBe(0)
    await cells.startRouter()
    await expectSettled()
  }
})

test('a router that has lost its positions, after all keys have expired, doubles nothing', async () => {
  const before = await Promise.all(cellNames.map((name) => cells.carriedPosition(name)))
  await cells.killRouter()
  await cells.removePositions()
  for (const name of cellNames) await cells.expireKeys(name)
  const router = await cells.startRouter()
  for (const [at, name] of cellNames.entries()) {
    const isCarried = async () => (await cells.carriedPosition(name)) >= before[at]!
    await eventually(isCarried, 120_000).catch(() => expect.fail(router.output()))
  }
  await expectSettled()
})

/** Sends a random transfer from one cell to the other. */
async function send(key: string, next: () => number): Promise<void> {
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(next() * values.length)]!
  const cell = pick(cellNames)
  const other = cell === 'north' ? 'south' : 'north'
  const to = next() < 0.2 ? null : pick(accounts[other])
  const cents = next() < 0.05 ? 10 * openingCents : 1 + Math.floor(next() * 3000)
  await transfer(key, { from: pick(accounts[cell]), to, cents })
}

/** Sends a transfer until a cell has decided. */
async function transfer(key: string, wanted: Transfer): Promise<void> {
  const cell = accounts.north.includes(wanted.from) ? 'north' : 'south'
  const other = cell === 'north' ? 'south' : 'north'
  const body = {
    arrangementId: wanted.from,
    direction: 'out',
    amount: euros(wanted.cents),
    counterparty: { cell: other, arrangementId: wanted.to ?? 'arr_nobody' },
  }
  for (;;) {
    const headers = { cell, 'idempotency-key': key }
    const answer = await cells.send('/posting-instructions', body, headers)
    if (answer?.status === 200) return void done.push(wanted)
    if (answer?.body.code === 'INSUFFICIENT_FUNDS') return void rejected++
    if (answer && !answer.body.retryable) throw new Error(JSON.stringify(answer))
    await sleep(retryMs)
  }
}

/** Waits until nothing is in transit, and compares all balances with the acknowledged transfers. */
async function expectSettled(): Promise<void> {
  const balances = new Map<string, number>(
    Object.values(accounts).flatMap((ids) => ids.map((id) => [id, openingCents] as const)),
  )
  for (const { from, to, cents } of done) {
    if (!to) continue
    balances.set(from, balances.get(from)! - cents)
    balances.set(to, balances.get(to)! + cents)
  }
  const isSettled = async () =>
    (await inTransit()) === 0 &&
    JSON.stringify(await storedBalances()) === JSON.stringify([...balances])
  await eventually(isSettled, 60_000).catch(() => undefined)
  expect(await storedBalances()).toEqual([...balances])
  expect(await inTransit()).toBe(0)
  const { ledgerFindings } = await cells.graph('all', '{ ledgerFindings { invariant subject } }')
  expect(ledgerFindings).toEqual([])
}

/** Returns the balance of the in-transit accounts of both cells together, in cents. */
async function inTransit(): Promise<number> {
  const query = '{ trialBalances { accounts { code debit credit } } }'
  const { trialBalances } = await cells.graph('all', query)
  const lines = trialBalances.flatMap(({ accounts }: any) => accounts)
  const own = lines.filter(({ code }: any) => code === 'settlement')
  return own.reduce((sum: number, each: any) => sum + cents(each.debit) - cents(each.credit), 0)
}

async function storedBalances(): Promise<[string, number][]> {
  const found: [string, number][] = []
  for (const cell of cellNames) {
    for (const id of accounts[cell]) {
      const query = `{ balance(arrangementId: "${id}") { committed } }`
      found.push([id, cents((await cells.graph(cell, query)).balance.committed)])
    }
  }
  return found
}

const cents = (amount: string) => Math.round(Number(amount) * 100)
