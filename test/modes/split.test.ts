import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealEnvelope, sealingKey } from '../../subgraphs/_kernel/sealed-envelope.ts'
import { loadSecrets } from '../../host/secrets.ts'
import { eventually } from '../kit/platform.ts'
import { journey } from './journey.ts'
import { ask, aSplitPlatform, aWholePlatform, startProgram, type RunningPlatform } from './kit.ts'

let bank: RunningPlatform
beforeAll(async () => {
  bank = await aSplitPlatform([['parties'], ['notifications']])
})
afterAll(() => bank.stop())

test('a day at the bank is the same in one process and in many', async () => {
  const whole = await aWholePlatform()
  try {
    const [apart, together] = await Promise.all([journey(bank), journey(whole)])
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
    await whole.stop()
  }
})

test('the sandbox is furnished, and provisions what a request misses, through the same processes', async () => {
  const token = bank.token({ environment: 'sandbox' })
  const url = `${bank.sandbox}/graphql`
  await eventually(async () => {
    const query = '{ party(partyId: "pty_ada") { displayName } }'
    return (await ask(url, token, { query })).body.data?.party.displayName === 'Ada Lovelace'
  }, 20_000)
  // The bank is recognised behind its token: what it did itself is never forgotten.
  expect(await fixtureKeys(bank)).toEqual([{ kept: true }])
  const refused = await ask(`${bank.sandbox}/v1/agreements`, bank.token())
  expect(refused.status).toBe(401)
  const customer = `mutation { createCustomer(input: { partyId: "pty_nobody_yet" }) { customerId } }`
  const answer = await ask(url, token, { query: customer })
  expect(answer.body.errors).toBeUndefined()
  expect(answer.headers.get('sandbox-provisioned')).toBe('party=pty_nobody_yet')
})

test('the steps of an answer come through from the process in which it is made', async () => {
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
  const sql = `select distinct is_kept as kept from kernel.idempotency where key like 'fixture:%'`
  const { rows } = await client.query<object>(sql)
  await client.end()
  return rows
}

describe('a subgraph answers its own gateways and nobody else', () => {
  const asked = { query: '{ party(partyId: "pty_eve") { displayName } }', variables: {} }
  const seal = async (change: {
    secret?: string
    environment?: string
    subgraph?: string
    deadlineMs?: number
    body?: object
    authorization?: string
  }) => {
    const { cookieKey } = (await loadSecrets(bank.dataDir)).live
    const { environment = 'live', subgraph = 'parties', body = asked } = change
    return sealEnvelope(
      sealingKey(change.secret ?? cookieKey),
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
  const knock = (headers: Record<string, string>, body: object = asked) =>
    fetch(bank.subgraphUrls['parties']!, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  test('what a gateway sealed is answered', async () => {
    const answer = await knock(await seal({}))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toHaveProperty('data')
  })

  test.each([
    ['no credential', () => ({ authorization: `Bearer ${bank.token()}` })],
    ['a seal of another secret', () => seal({ secret: 'x'.repeat(43) })],
    ['a seal for another subgraph', () => seal({ subgraph: 'notifications' })],
    ['a seal for the other environment', () => seal({ environment: 'sandbox' })],
    ['an environment there is not', () => seal({ environment: '__proto__' })],
    ['a deadline that is over', () => seal({ deadlineMs: Date.now() - 60_000 })],
    ['a deadline in an hour', () => seal({ deadlineMs: Date.now() + 3_600_000 })],
    ['no deadline', () => seal({ deadlineMs: Number.NaN })],
    ['another body', () => seal({ body: { query: '{ __typename }', variables: {} } })],
    [
      'another caller',
      async () => ({ ...(await seal({})), authorization: `Bearer ${bank.token({ scope: '' })}` }),
    ],
    ['another key', async () => ({ ...(await seal({})), 'idempotency-key': 'k' })],
    ['another request id', async () => ({ ...(await seal({})), 'x-request-id': 'other' })],
    ['an empty seal', async () => ({ ...(await seal({})), 'bankgraph-seal': '' })],
  ] as [string, () => Promise<Record<string, string>>][])('401: %s', async (_what, headers) => {
    const answer = await knock(await headers())
    expect(answer.status).toBe(401)
    expect(await answer.text()).toBe('')
  })

  test('the caller’s token is verified again', async () => {
    const expired = await knock(await seal({ authorization: 'Bearer not.a.token' }))
    expect(expired.status).toBe(401)
    expect(await expired.json()).toMatchObject({
      errors: [{ extensions: { code: 'TOKEN_INVALID' } }],
    })
  })

  test('other methods, types and paths are refused', async () => {
    const url = bank.subgraphUrls['parties']!
    expect((await fetch(url)).status).toBe(404)
    expect((await knock({ ...(await seal({})), 'content-type': 'text/plain' })).status).toBe(415)
    expect((await fetch(url.replace('parties/', 'events/'), { method: 'POST' })).status).toBe(404)
    expect((await fetch(new URL('/readyz', url))).status).toBe(200)
  })
})

test('a subgraph that is killed costs its fields; they are back when it is', async () => {
  const token = bank.token()
  const query = `{ notifications(first: 1) { nodes { templateCode party { displayName } } } }`
  const look = async () => (await ask(`${bank.live}/graphql`, token, { query })).body
  const whole = await look()
  expect(whole.errors).toBeUndefined()
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
  const { status, body } = await ask(`${bank.live}/agreements?partyId=pty_eve`, token)
  expect({ status, code: body.code }).toEqual({ status: 503, code: 'DEPENDENCY_UNAVAILABLE' })
  const SUBGRAPH_PORT = new URL(bank.subgraphUrls['parties']!).port
  const again = await startProgram(['subgraph', 'parties'], { ...bank.settings, SUBGRAPH_PORT })
  bank.programs.set('parties', again)
  await eventually(async () => JSON.stringify(await look()) === JSON.stringify(whole))
})

test('every process ends in order when it is asked to', async () => {
  const code = await bank.programs.get('notifications')!.end()
  bank.programs.delete('notifications')
  expect(code).toBe(0)
})
