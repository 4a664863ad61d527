import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signEnvelope, signingKey } from '../../kernel/environment/signed-envelope.ts'
import { loadSecrets } from '../../host/secrets.ts'
import { eventually } from '../kit/eventually.ts'
import { journey } from './journey.ts'
import {
  queryGraph,
  aSplitPlatform,
  aCompletePlatform,
  startProgram,
  type RunningPlatform,
} from './kit.ts'

let bank: RunningPlatform
beforeAll(async () => {
  bank = await aSplitPlatform([['parties'], ['notifications']])
})
afterAll(() => bank.stop())

test('gives the same responses in one process and in several', async () => {
  const complete = await aCompletePlatform()
  try {
    const [apart, together] = await Promise.all([journey(bank), journey(complete)])
    expect(apart).toEqual(together)
    expect(apart).toMatchObject({
      notification: { status: 201, isReplayed: null },
      replay: { status: 201, isReplayed: 'true' },
      'the replay is the answer': true,
      'key reused': { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } },
      'no scope': { status: 403, body: { code: 'INSUFFICIENT_SCOPE' } },
      'a stranger': { body: { data: { party: null } } },
      delivered: {
        body: {
          data: { notification: { status: 'DELIVERED', party: { displayName: 'Eve Moneypenny' } } },
        },
      },
    })
  } finally {
    await complete.stop()
  }
})

test('seeds and provisions the sandbox across processes', async () => {
  const token = bank.token({ environment: 'sandbox' })
  const url = `${bank.sandbox}/graphql`
  await eventually(async () => {
    const query = '{ party(partyId: "pty_ada") { displayName } }'
    return (await queryGraph(url, token, { query })).body.data?.party.displayName === 'Ada Lovelace'
  }, 20_000)
  // The subgraph recognizes the bank by its service token, so the idempotency keys of fixtures are
  // retained.
  expect(await fixtureKeys(bank)).toEqual([{ retained: true }])
  // The subgraph's process books the history at the times that the gateway passes on.
  const openedDaysAgo = await eventually(async () => {
    const query = '{ accountArrangement(arrangementId: "arr_ada_current") { openedAt } }'
    const { openedAt } =
      (await queryGraph(url, token, { query })).body.data?.accountArrangement ?? {}
    return openedAt && (Date.now() - Date.parse(openedAt)) / 86_400_000
  }, 20_000)
  expect(openedDaysAgo).toBeGreaterThan(99)
  const refused = await queryGraph(`${bank.sandbox}/v1/agreements`, bank.token())
  expect(refused.status).toBe(401)
  const customer = `mutation { createCustomer(input: { partyId: "pty_nobody_yet" }) { customerId } }`
  const answer = await queryGraph(url, token, { query: customer })
  expect(answer.body.errors).toBeUndefined()
  expect(answer.headers.get('sandbox-provisioned')).toBe('party=pty_nobody_yet')
})

test('streams the steps of an assistant’s turn from the subgraph’s process', async () => {
  const answer = await fetch(`${bank.sandbox}/v1/ai/assist/sessions/ses_split/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bank.token({ environment: 'sandbox' })}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ content: 'Show my accounts' }),
  })
  const events = [...(await answer.text()).matchAll(/^event: (.*)$/gm)].map(([, name]) => name)
  expect([events[0], events[1], events.at(-1)]).toEqual(['begun', 'tool', 'message'])
  expect(answer.headers.get('sandbox-provisioned')).toBe('session=ses_split')
})

async function fixtureKeys({ settings }: RunningPlatform): Promise<unknown[]> {
  const client = new Client(settings['SANDBOX_DATABASE_URL'])
  await client.connect()
  const sql = `select distinct is_retained as retained from kernel.idempotency where key like 'fixture:%'`
  const { rows } = await client.query<object>(sql)
  await client.end()
  return rows
}

describe('Requests to a subgraph process', () => {
  const request = { query: '{ party(partyId: "pty_eve") { displayName } }', variables: {} }
  const envelopeHeaders = async (change: {
    secret?: string
    environment?: string
    subgraph?: string
    deadlineMs?: number
    body?: object
    authorization?: string
  }) => {
    const { cookieKey } = (await loadSecrets(bank.dataDir)).live
    const { environment = 'live', subgraph = 'parties', body = request } = change
    return signEnvelope(
      signingKey(change.secret ?? cookieKey),
      { environment, subgraph },
      {
        authorization: change.authorization ?? `Bearer ${bank.token()}`,
        requestId: 'test-request',
        traceparent: undefined,
        idempotencyKey: undefined,
        deadlineMs: change.deadlineMs ?? Date.now() + 5000,
      },
      Buffer.from(JSON.stringify(body)),
    )
  }
  const call = (headers: Record<string, string>, body: object = request) =>
    fetch(bank.subgraphUrls['parties']!, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  test('accepts the signature of a gateway', async () => {
    const answer = await call(await envelopeHeaders({}))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toHaveProperty('data')
  })

  test.each([
    ['no signature', () => ({ authorization: `Bearer ${bank.token()}` })],
    ['a signature with another secret', () => envelopeHeaders({ secret: 'x'.repeat(43) })],
    ['a signature for another subgraph', () => envelopeHeaders({ subgraph: 'notifications' })],
    ['a signature for the other environment', () => envelopeHeaders({ environment: 'sandbox' })],
    ['an unknown environment', () => envelopeHeaders({ environment: '__proto__' })],
    ['a deadline in the past', () => envelopeHeaders({ deadlineMs: Date.now() - 60_000 })],
    ['a deadline in an hour', () => envelopeHeaders({ deadlineMs: Date.now() + 3_600_000 })],
    ['no deadline', () => envelopeHeaders({ deadlineMs: Number.NaN })],
    [
      'a body other than the signed one',
      () => envelopeHeaders({ body: { query: '{ __typename }', variables: {} } }),
    ],
    [
      'a token other than the signed one',
      async () => ({
        ...(await envelopeHeaders({})),
        authorization: `Bearer ${bank.token({ scope: '' })}`,
      }),
    ],
    [
      'an idempotency key that was not signed',
      async () => ({ ...(await envelopeHeaders({})), 'idempotency-key': 'k' }),
    ],
    [
      'a request id other than the signed one',
      async () => ({ ...(await envelopeHeaders({})), 'x-request-id': 'other' }),
    ],
    [
      'a booking time that was not signed',
      async () => ({ ...(await envelopeHeaders({})), 'bankgraph-happened-at': '1000000000000' }),
    ],
    ['an empty signature', async () => ({ ...(await envelopeHeaders({})), 'bankgraph-seal': '' })],
  ] as [string, () => Promise<Record<string, string>>][])(
    'responds 401 to %s',
    async (_what, headers) => {
      const answer = await call(await headers())
      expect(answer.status).toBe(401)
      expect(await answer.text()).toBe('')
    },
  )

  test('responds 401 when the caller’s token is invalid', async () => {
    const expired = await call(await envelopeHeaders({ authorization: 'Bearer not.a.token' }))
    expect(expired.status).toBe(401)
    expect(await expired.json()).toMatchObject({
      errors: [{ extensions: { code: 'TOKEN_INVALID' } }],
    })
  })

  test('rejects other methods, content types and paths', async () => {
    const url = bank.subgraphUrls['parties']!
    expect((await fetch(url)).status).toBe(404)
    expect(
      (await call({ ...(await envelopeHeaders({})), 'content-type': 'text/plain' })).status,
    ).toBe(415)
    expect((await fetch(url.replace('parties/', 'events/'), { method: 'POST' })).status).toBe(404)
    expect((await fetch(new URL('/readyz', url))).status).toBe(200)
  })
})

test('fails only the fields of a killed subgraph, until it is restarted', async () => {
  const token = bank.token()
  const query = `{ notifications(first: 1) { nodes { templateCode party { displayName } } } }`
  const look = async () => (await queryGraph(`${bank.live}/graphql`, token, { query })).body
  const complete = await look()
  expect(complete.errors).toBeUndefined()
  await bank.programs.get('parties')!.end('SIGKILL')
  for (let at = 0; at < 5; at++) {
    expect(await look()).toMatchObject({
      data: { notifications: { nodes: [{ templateCode: 'hello', party: null }] } },
      errors: [
        {
          path: ['notifications', 'nodes', 0, 'party'],
          extensions: { code: 'DEPENDENCY_UNAVAILABLE', retryable: true },
        },
      ],
    })
  }
  const { status, body } = await queryGraph(`${bank.live}/agreements?partyId=pty_eve`, token)
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'DEPENDENCY_UNAVAILABLE' })
  const SUBGRAPH_PORT = new URL(bank.subgraphUrls['parties']!).port
  const again = await startProgram(['subgraph', 'parties'], { ...bank.settings, SUBGRAPH_PORT })
  bank.programs.set('parties', again)
  await eventually(async () => JSON.stringify(await look()) === JSON.stringify(complete))
})

test('exits with 0 on SIGTERM', async () => {
  const code = await bank.programs.get('notifications')!.end()
  bank.programs.delete('notifications')
  expect(code).toBe(0)
})
