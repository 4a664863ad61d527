/** What the client package does when things go wrong: retries, keys, problems, tokens and lost streams. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'graphql'
import { Webhook } from 'standardwebhooks'
import { WebSocket } from 'ws'
import {
  BankProblem,
  ConnectionFailure,
  InvalidDelivery,
  verifyWebhook,
  type Attempt,
  type BankEvent,
  type TypedDocument,
} from '../../sdk/src/index.ts'
import { fileKeyStore } from '../../sdk/src/node.ts'
import { newSecret, signedHeaders } from '../../kernel/events/webhook-signature.ts'
import { eventually } from '../kit/eventually.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import type { Platform } from '../kit/platform.ts'
import { aClient, aFaultyProxy, type FaultyProxy } from './kit.ts'

let bank: Platform
let proxy: FaultyProxy
beforeAll(async () => {
  bank = await aSeededPlatform()
  proxy = await aFaultyProxy(bank.url)
})
afterEach(() => {
  proxy.faults.length = 0
  proxy.requests.length = 0
})
afterAll(async () => {
  await proxy.stop()
  await bank.stop()
})

/** A client whose calls pass through the proxy. */
const aClientBehindProxy = (options: Parameters<typeof aClient>[1] = {}) =>
  aClient(bank, { url: `${proxy.url}/v1`, ...options })

const transfer = {
  debtorArrangementId: 'arr_ada_current',
  creditorArrangementId: 'arr_ada_savings',
  amount: { amount: '1.00', currency: 'EUR' },
}
const postings = async () =>
  Number(
    (await bank.bank.pool.query('select count(*) from ledger.posting_instruction')).rows[0].count,
  )

describe('A call whose response is lost', () => {
  test('is repeated with the same key and pays once', async () => {
    const before = await postings()
    const attempts: Attempt[] = []
    const client = aClientBehindProxy({ onAttempt: (attempt) => attempts.push(attempt) })
    proxy.faults.push('drop', 502, 'drop')
    const posting = await client.createPostingInstruction(transfer)
    expect(posting.status).toBe('accepted')
    expect(await postings()).toBe(before + 1)
    expect(new Set(proxy.requests.map(({ key }) => key)).size).toBe(1)
    expect(attempts.map(({ number, status }) => [number, status])).toEqual([
      [1, null],
      [2, 502],
      [3, null],
      [4, 200],
    ])
    expect(attempts.at(-1)!.requestId).toMatch(/^.+$/)
  })

  test('reports the key with which to go on, when it gives up', async () => {
    const before = await postings()
    proxy.faults.push('drop', 'drop')
    const client = aClientBehindProxy({ maxRetries: 1 })
    const failure = await client.createPostingInstruction(transfer).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ConnectionFailure)
    const { idempotencyKey, attempts } = failure as ConnectionFailure
    expect(attempts).toBe(2)
    const posting = await client.createPostingInstruction(transfer, {
      idempotencyKey: idempotencyKey!,
    })
    expect(posting.status).toBe('accepted')
    expect(await postings()).toBe(before + 1)
  })

  test('is repeated with its stored key by the program that starts after a crash', async () => {
    const before = await postings()
    const folder = await mkdtemp(join(tmpdir(), 'bankgraph-keys-'))
    const intent = 'order-4711/payment'
    proxy.faults.push('drop')
    const crashed = aClientBehindProxy({ maxRetries: 0, keys: fileKeyStore(folder) })
    await expect(crashed.createPostingInstruction(transfer, { intent })).rejects.toThrow(
      'did not answer',
    )
    const restarted = aClientBehindProxy({ keys: fileKeyStore(folder) })
    await restarted.createPostingInstruction(transfer, { intent })
    expect(await postings()).toBe(before + 1)
  })

  test('is sent once, whatever the app does with the report of the attempt', async () => {
    const before = await postings()
    const onAttempt = () => {
      throw new Error('The log is full.')
    }
    const posting = await aClientBehindProxy({ onAttempt }).createPostingInstruction(transfer)
    expect(posting.status).toBe('accepted')
    expect(proxy.requests).toHaveLength(1)
    expect(await postings()).toBe(before + 1)
  })

  test('is repeated in the graph as well', async () => {
    const client = aClientBehindProxy()
    proxy.faults.push('drop')
    const mutation = `mutation ($input: CreatePartyInput!) { createParty(input: $input) { partyId } }`
    const input = { kind: 'ORGANIZATION', organizationName: 'Once Ltd' }
    const sent = await client.graph(mutation, { input }).catch((error: BankProblem) => error)
    expect(sent).toHaveProperty('createParty.partyId')
    const { rows } = await bank.bank.pool.query(
      `select count(*)::int from parties.party where organization_name = 'Once Ltd'`,
    )
    expect(rows[0].count).toBe(1)
  })

  test('is not repeated after it was canceled', async () => {
    // Canceled between two attempts, when no request is on its way.
    const cancellation = new AbortController()
    const client = aClientBehindProxy({
      onAttempt: () => cancellation.abort(new Error('Canceled')),
    })
    proxy.faults.push('drop', 'drop')
    const { signal } = cancellation
    await expect(client.createPostingInstruction(transfer, { signal })).rejects.toThrow('Canceled')
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(proxy.requests).toHaveLength(1)
  })
})

describe('A rejected call', () => {
  test('names the member, and is not repeated', async () => {
    const client = aClientBehindProxy()
    const body = { partyId: 'pty_ada', channel: 'fax' as never, templateCode: 'tpl_welcome' }
    const problem = await client.createNotification(body).catch((error: BankProblem) => error)
    expect(problem).toBeInstanceOf(BankProblem)
    expect(problem).toMatchObject({ code: 'VALIDATION_FAILED', status: 400, isRetryable: false })
    expect((problem as BankProblem).errors).toMatchObject([{ pointer: '/channel' }])
    expect((problem as BankProblem).requestId).toEqual(expect.any(String))
    expect(proxy.requests).toHaveLength(1)
  })

  test('has the same problem in the graph', async () => {
    const client = aClientBehindProxy()
    const mutation = `mutation ($input: CreatePostingInstructionInput!) {
      createPostingInstruction(input: $input) { status violations { code } } }`
    const input = { ...transfer, amount: 'much' }
    const problem = await client.graph(mutation, { input }).catch((error: BankProblem) => error)
    expect(problem).toMatchObject({ name: 'BankProblem', code: 'VALIDATION_FAILED', status: 400 })
    const missing = await client
      .graph('{ party(partyId: "pty_nobody") { partyId } }')
      .catch((error: BankProblem) => error)
    expect(missing).toEqual({ party: null })
  })

  test('of one field leaves the other fields of the graph', async () => {
    const token = bank.token({ scopes: ['parties:read'] })
    const client = aClientBehindProxy({ tokens: { token: () => Promise.resolve(token) } })
    const query =
      '{ party(partyId: "pty_ada") { displayName } agreements(first: 1) { nodes { agreementId } } }'
    const { data, problems } = await client.graphPartially(query)
    expect(data).toMatchObject({ party: { displayName: 'Ada Lovelace' }, agreements: null })
    expect(problems).toMatchObject([{ code: 'INSUFFICIENT_SCOPE', status: 403 }])
  })
})

test('a typed document has a typed result, and its list is read page by page', async () => {
  interface Result {
    parties: { nodes: { partyId: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } }
  }
  const document = parse(
    'query ($after: String) { parties(first: 1, after: $after) { nodes { partyId } pageInfo { hasNextPage endCursor } } }',
  ) as TypedDocument<Result, { after?: string | null }> & ReturnType<typeof parse>
  const client = aClient(bank)
  const parties = client.graphList(document, {}, (result) => result.parties)
  const ids = (await parties.all()).map(({ partyId }) => partyId)
  expect(ids).toEqual(expect.arrayContaining(['pty_ada', 'pty_grace']))
  expect(new Set(ids).size).toBe(ids.length)
})

test('a token that was revoked is replaced, once for all calls that wait for it', async () => {
  let issued = 0
  const tokens = {
    token: (rejected?: string) => {
      if (rejected !== undefined || issued === 0) issued++
      return Promise.resolve(issued === 1 ? 'no token' : bank.token())
    },
  }
  const client = aClientBehindProxy({ tokens })
  expect((await client.listAccounts({ pageSize: 1 })).items).toHaveLength(1)
  expect(issued).toBe(2)
})

test.each(['http', 'websocket'] as const)(
  'events over %s resume behind the last one after the connection was cut',
  async (over) => {
    const client = aClientBehindProxy({ webSocket: WebSocket })
    const stop = new AbortController()
    const received: BankEvent[] = []
    let interruptions = 0
    const following = (async () => {
      const events = client.events({
        types: ['payments.posting-instruction.*'],
        over,
        signal: stop.signal,
        onInterruption: () => interruptions++,
      })
      for await (const event of events) received.push(event)
    })()
    const direct = aClient(bank)
    const sent: string[] = []
    const post = async () =>
      sent.push((await direct.createPostingInstruction(transfer)).postingInstructionId)
    await eventually(() => client.position !== null)
    for (let round = 0; round < 3; round++) {
      await post()
      await eventually(() => received.length >= sent.length - 1)
      proxy.cut()
      await post()
    }
    await eventually(() => received.length >= sent.length, 20_000)
    stop.abort()
    await following
    await client.close()
    expect(received.map(({ subjectId }) => subjectId.split('/')[1])).toEqual(sent)
    expect(interruptions).toBeGreaterThan(0)
  },
)

test('a rejected subscription ends the iteration with its problem', async () => {
  const token = bank.token({ scopes: ['parties:read'] })
  const client = aClient(bank, { tokens: { token: () => Promise.resolve(token) } })
  const events = client.events({ after: '0' })
  await expect(events.next()).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' })
})

test('events after one that the log does not have end with a problem', async () => {
  const client = aClient(bank)
  const [first] = await take(client.events({ after: '0' }), 1)
  const place = { after: first!.position, afterEventId: first!.eventId }
  const [second] = await take(client.events(place), 1)
  expect(BigInt(second!.position)).toBe(BigInt(first!.position) + 1n)
  const other = client.events({ ...place, afterEventId: second!.eventId })
  await expect(other.next()).rejects.toMatchObject({ code: 'POSITION_NOT_IN_LOG' })
})

async function take(events: AsyncIterable<BankEvent>, count: number): Promise<BankEvent[]> {
  const taken: BankEvent[] = []
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

describe('A webhook', () => {
  const secret = newSecret()
  const body = JSON.stringify({
    specversion: '1.0',
    id: 'evt_1',
    type: 'parties.party.created',
    subject: 'party/pty_1',
    position: '9007199254740993',
    sequence: '1',
  })

  test('is verified like the library of the standard verifies it', async () => {
    const headers = signedHeaders([secret], 'evt_1', new Date(), body)
    const event = await verifyWebhook({ body, headers, secret })
    expect(event).toMatchObject({ id: 'evt_1', position: '9007199254740993', data: null })
    expect(event).toMatchObject(new Webhook(secret).verify(body, headers) as object)
    const both = signedHeaders([newSecret(), secret], 'evt_1', new Date(), body)
    await expect(verifyWebhook({ body, headers: new Headers(both), secret })).resolves.toBeDefined()
  })

  test.each([
    ['a changed body', { body: body.replace('pty_1', 'pty_2') }],
    ['another secret', { secret: newSecret() }],
    ['no signature', { headers: {} }],
    ['an old delivery', { headers: signedHeaders([secret], 'evt_1', new Date(0), body) }],
    [
      'another message',
      { headers: { ...signedHeaders([secret], 'evt_2', new Date(), body), 'webhook-id': 'evt_1' } },
    ],
  ])('with %s is refused', async (_, change) => {
    const headers = signedHeaders([secret], 'evt_1', new Date(), body)
    const delivery = verifyWebhook({ body, headers, secret, ...change })
    await expect(delivery).rejects.toBeInstanceOf(InvalidDelivery)
  })
})
