import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { subgraphs } from '../../subgraphs/index.ts'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'

// Workers that wake on events, and the listener for requested job runs, wait as long as the bank
// runs.
const waitingWorkers =
  1 + subgraphs.flatMap(({ workers }) => workers).filter(({ wakeOn }) => wakeOn).length

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
})
afterAll(() => bank.stop())

const createParty = (partyId: string) =>
  bank.graph(
    `mutation ($partyId: ID!) {
      createParty(input: { partyId: $partyId, kind: PERSON, givenName: "Ada", familyName: "L" }) { partyId }
    }`,
    { partyId },
  )

const selection = `{ position sequence type subjectId subject { ... on Party { partyId displayName } } }`

interface ReceivedEvents {
  position: string
  type: string
  subjectId: string
  subject: { partyId: string; displayName: string } | null
}

/** Subscribes over the WebSocket and collects events and errors. */
function listen(query: string, variables: Record<string, unknown> = {}, token?: string) {
  const client = bank.socket(token)
  const received: ReceivedEvents[] = []
  const errors: unknown[] = []
  const isClosed = new Promise<{ code: number; reason: string }>((resolve) => {
    client.on('closed', (event) => resolve(event as { code: number; reason: string }))
  })
  client.subscribe<{ businessEvents: ReceivedEvents }>(
    { query, variables },
    {
      next: ({ data, errors: failed }) => {
        if (failed) errors.push(...failed)
        if (data?.businessEvents) received.push(data.businessEvents)
      },
      error: (error) => errors.push(error),
      complete: () => undefined,
    },
  )
  return { heard: received, errors, isClosed, stop: () => client.dispose() }
}

describe('GraphQL subscription businessEvents', () => {
  test('delivers each event with the client’s selection resolved across subgraphs', async () => {
    const listener = listen(`subscription { businessEvents(after: "0") ${selection} }`)
    await createParty('pty_sub_1')
    const received = await eventually(() =>
      listener.heard.find(({ subjectId }) => subjectId === 'party/pty_sub_1'),
    )
    expect(received).toMatchObject({
      type: 'parties.party.created',
      subject: { partyId: 'pty_sub_1', displayName: 'Ada L' },
    })
    await listener.stop()
  })

  test('resumes after a position without gaps, duplicates or reordering', async () => {
    for (let at = 0; at < 5; at++) await createParty(`pty_resume_${at}`)
    const positions: number[] = []
    let after = '0'
    const head = await eventually(async () => {
      const answer = await bank.graph(
        '{ businessEvents(first: 200) { nodes { position subjectId } } }',
      )
      const nodes = answer.body.data.businessEvents.nodes as ReceivedEvents[]
      return nodes.some(({ subjectId }) => subjectId === 'party/pty_resume_4') && nodes.length
    })
    while (positions.length < head) {
      const listener = listen(
        `subscription ($after: String) { businessEvents(after: $after) ${selection} }`,
        { after },
      )
      await eventually(() => listener.heard.length > 0)
      await listener.stop()
      // Only the first event counts: the socket is cut while more are on the way.
      positions.push(Number(listener.heard[0]!.position))
      after = listener.heard[0]!.position
    }
    expect(positions).toEqual(Array.from({ length: head }, (_, index) => index + 1))
  })

  test('filters by type and by subject', async () => {
    const byType = listen(
      `subscription { businessEvents(types: ["agreements.*"], after: "0") ${selection} }`,
    )
    const bySubject = listen(
      `subscription { businessEvents(subject: "party/pty_filter", after: "0") ${selection} }`,
    )
    await createParty('pty_filter')
    await eventually(() => bySubject.heard.length === 1)
    expect(bySubject.heard[0]!.subjectId).toBe('party/pty_filter')
    expect(byType.heard).toEqual([])
    await Promise.all([byType.stop(), bySubject.stop()])
  })

  test('rejects an unknown event type and suggests similar names', async () => {
    const listener = listen(
      `subscription { businessEvents(types: ["parties.party.createt"]) ${selection} }`,
    )
    const [errors] = (await eventually(() => listener.errors[0] && listener.errors)) as unknown[][]
    expect(JSON.stringify(errors)).toMatch(/UNKNOWN_EVENT_TYPE.*parties\.party\.created/)
    await listener.stop()
  })

  test('delivers to a delegated user only events about their own party', async () => {
    await createParty('pty_own')
    await createParty('pty_foreign')
    const token = bank.token({ partyId: 'pty_own' })
    const listener = listen(`subscription { businessEvents(after: "0") ${selection} }`, {}, token)
    await eventually(() => listener.heard.some(({ subjectId }) => subjectId === 'party/pty_own'))
    await createParty('pty_foreign_2')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(listener.heard.map(({ subjectId }) => subjectId)).toEqual(['party/pty_own'])
    await listener.stop()
  })

  test('resolves the subject only for the client that owns it', async () => {
    const register = `mutation { registerWebhookEndpoint(input: { url: "https://one.example/hook" }) {
      endpoint { endpointId } } }`
    const query = `subscription { businessEvents(types: ["events.*"], after: "0") {
      position subjectId subject { ... on WebhookEndpoint { url } } } }`
    const scopes = ['events:read', 'events:subscribe'] as const
    const [one, other] = ['one', 'other'].map((clientId) => bank.token({ clientId, scopes }))
    await bank.graph(register, {}, { token: one })
    const listeners = [one, other].map((token) => listen(query, {}, token))
    const received = await eventually(() => {
      const last = listeners.map((each) => each.heard.at(-1))
      return last.every(Boolean) && last
    })
    expect(received.map((event) => event!.subject)).toEqual([
      { url: 'https://one.example/hook' },
      null,
    ])
    for (const { stop } of listeners) await stop()
  })

  test('delivers the same events over SSE', async () => {
    const aborting = new AbortController()
    const answer = await fetch(`${bank.url}/graphql`, {
      method: 'POST',
      signal: aborting.signal,
      headers: {
        authorization: `Bearer ${bank.token()}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query: `subscription { businessEvents(after: "0") { position } }` }),
    })
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(answer.headers.get('ratelimit-policy')).toBe('"client";q=20000;w=2')
    expect(answer.headers.get('ratelimit')).toMatch(/^"client";r=\d+;t=1$/)
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!/"position":"2"/.test(text)) text += (await reader.read()).value ?? ''
    expect(text).toMatch(/event: next\ndata: \{"data":\{"businessEvents":\{"position":"1"\}\}\}/)
    aborting.abort()
  })

  test('releases its readers of the event log when subscribers disconnect', async () => {
    const { events } = bank.bank
    await eventually(() => events.waitingReaderCount === waitingWorkers)
    const listener = listen(`subscription { businessEvents { position } }`)
    await eventually(() => events.waitingReaderCount === waitingWorkers + 1)
    await listener.stop()
    await eventually(() => events.waitingReaderCount === waitingWorkers)
  })
})

describe('GraphQL subscriptions over WebSocket', () => {
  test('closes the socket with 4401 when the token is invalid', async () => {
    const listener = listen(`subscription { businessEvents { position } }`, {}, 'nonsense')
    expect(await listener.isClosed).toMatchObject({ code: 4401 })
  })

  test('closes the socket with 4401 and mentions connection_init when the token is missing', async () => {
    const listener = listen(`subscription { businessEvents { position } }`, {}, '')
    const reason = expect.stringContaining('connection_init')
    expect(await listener.isClosed).toMatchObject({ code: 4401, reason })
  })

  test('accepts no more than 20 subscriptions', async () => {
    const client = bank.socket()
    const refused: unknown[] = []
    for (let at = 0; at < 25; at++) {
      client.subscribe(
        { query: 'subscription { businessEvents { position } }' },
        { next: () => undefined, error: (error) => refused.push(error), complete: () => undefined },
      )
    }
    await eventually(() => refused.length === 5)
    expect(JSON.stringify(refused)).toContain('RATE_LIMITED')
    await client.dispose()
    await eventually(() => bank.bank.events.waitingReaderCount <= waitingWorkers)
  })

  test('rejects queries and complex documents, and closes the socket with 1009 on a large frame', async () => {
    const query = listen('query { __typename }')
    const doubling = listen(
      `subscription { businessEvents { ...A } } fragment A on BusinessEvent { ${'a: type '.repeat(40)} }`,
    )
    expect(JSON.stringify(await eventually(() => query.errors[0]))).toContain('BAD_REQUEST')
    expect(JSON.stringify(await eventually(() => doubling.errors[0]))).toContain(
      'QUERY_TOO_COMPLEX',
    )
    await Promise.all([query.stop(), doubling.stop()])
    const socket = new WebSocket(
      `${bank.url.replace('http', 'ws')}/graphql`,
      'graphql-transport-ws',
    )
    await new Promise((resolve) => socket.on('open', resolve))
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    socket.on('error', () => undefined)
    socket.send('x'.repeat(1 << 20))
    expect(await closed).toBe(1009)
  })

  test('closes the socket with 4403 when the token expires', async () => {
    const token = bank.token({ ttlSeconds: 1 })
    const listener = listen('subscription { businessEvents { position } }', {}, token)
    expect(await listener.isClosed).toMatchObject({ code: 4403 })
  })
})
