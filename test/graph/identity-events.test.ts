/** The events of the audit of identity reach only those who have the scope `audit:read`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyScope, type Scope } from '../../kernel/domain/scopes.ts'
import { aPlatform, eventually, type Platform } from '../kit/platform.ts'

const type = 'operations.identity-record.created'
const ordinary = everyScope.filter((scope) => scope !== 'audit:read')

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
})
afterAll(() => bank.stop())

const tokenOf = (scopes: readonly Scope[], clientId = 'siem') => bank.token({ scopes, clientId })
const logInAs = (person: string) =>
  bank.bank.identities.record({ kind: 'log-in', outcome: 'succeeded', person, clientId: 'web' })

test('the query and the subscription return them only with the scope', async () => {
  await logInAs('ada')
  const document = `query ($types: [String!]) {
    businessEvents(types: $types) { nodes { eventId type data subjectId actor } } }`
  const read = async (scopes: readonly Scope[], types: string[] | null) => {
    const token = tokenOf(scopes)
    return (await bank.graph(document, { types }, { token })).body
  }
  const found = await eventually(async () => {
    const { data } = await read(everyScope, [type])
    return data.businessEvents.nodes.find((each: any) => each.data.person === 'ada')
  })
  expect(found).toMatchObject({ type, actor: 'ada', data: { kind: 'log-in', clientId: 'web' } })
  expect(found.subjectId).toBe(`identity-record/${found.data.recordId}`)
  const refused = await read(ordinary, [type])
  expect(refused.errors[0].extensions).toMatchObject({
    code: 'INSUFFICIENT_SCOPE',
    scope: 'audit:read',
  })
  for (const types of [null, ['*'], ['operations.*'], ['operations.identity-record.*']]) {
    const { data } = await read(ordinary, types)
    expect(data.businessEvents.nodes.filter((each: any) => each.type === type)).toEqual([])
  }
  const one = `query ($id: ID!) { businessEvent(eventId: $id) { type } }`
  const single = async (token: string) =>
    (await bank.graph(one, { id: found.eventId }, { token })).body.data.businessEvent
  expect(await single(tokenOf(ordinary))).toBe(null)
  expect(await single(tokenOf(everyScope))).toEqual({ type })
  expect(await single(bank.token({ partyId: 'pty_ada' }))).toBe(null)
})

test('a live subscription receives them only with the scope', async () => {
  const listen = (token: string, types: string | null) => {
    const client = bank.socket(token)
    const received: string[] = []
    const errors: unknown[] = []
    const query = 'subscription ($types: [String!]) { businessEvents(types: $types) { type } }'
    client.subscribe<{ businessEvents: { type: string } }>(
      { query, variables: { types: types && [types] } },
      {
        next: ({ data }) => data && received.push(data.businessEvents.type),
        error: (error) => errors.push(error),
        complete: () => undefined,
      },
    )
    return { received, errors, stop: () => client.dispose() }
  }
  const siem = listen(tokenOf(everyScope), type)
  const other = listen(tokenOf(ordinary, 'other'), null)
  const asking = listen(tokenOf(ordinary, 'asking'), type)
  await eventually(() => asking.errors.length > 0)
  expect(JSON.stringify(asking.errors)).toContain('audit:read')
  await eventually(async () => {
    await logInAs('grace')
    return siem.received.includes(type)
  })
  const party = `mutation { createParty(input: { partyId: "pty_last", kind: PERSON, givenName: "L",
    familyName: "L" }) { partyId } }`
  await bank.graph(party)
  await eventually(() => other.received.includes('parties.party.created'))
  expect(other.received).not.toContain(type)
  for (const each of [siem, other, asking]) await each.stop()
})

test('webhooks are planned only for clients that had the scope and still have it', async () => {
  const as = (clientId: string, scopes: readonly Scope[]) => async (document: string) => {
    const options = { token: tokenOf(scopes, clientId) }
    return (await bank.graph(`mutation { ${document} }`, {}, options)).body
  }
  const withScope = as('siem-hooks', everyScope)
  const without = as('other-hooks', ordinary)
  const subscribe = (eventType: string) =>
    `createEventSubscription(input: { eventType: "${eventType}" }) { subscriptionId }`
  const refused = await without(subscribe(type))
  expect(refused.errors[0].extensions.code).toBe('INSUFFICIENT_SCOPE')
  const register = `registerOAuthClient(input: { clientId: "siem-registered", label: "S",
    scopes: ["events:subscribe", "events:read"] }) { client { clientId } }`
  const registrar = { token: bank.token({ subject: 'registrar' }) }
  expect((await bank.graph(`mutation { ${register} }`, {}, registrar)).body.errors).toBe(undefined)
  const lost = as('siem-registered', everyScope)
  for (const [client, at] of [
    [withScope, 1],
    [without, 2],
    [lost, 3],
  ] as const) {
    const endpoint = `registerWebhookEndpoint(input: { url: "https://203.0.114.${at}/" }) { endpoint { endpointId } }`
    for (const each of [endpoint, subscribe('*'), subscribe('operations.*')])
      expect((await client(each)).errors).toBe(undefined)
  }
  await logInAs('alan')
  const planned = await eventually(async () => {
    const { rows } = await bank.bank.pool.query<{ client_id: string; event_type: string }>(
      `select p.client_id, d.event_type from events.delivery d join events.endpoint p using (endpoint_id)
       join kernel.identity_record r on d.subject = 'identity-record/' || r.record_id
       where r.person = 'alan'`,
    )
    return rows.length > 0 && rows
  })
  expect(planned).toEqual([{ client_id: 'siem-hooks', event_type: type }])
  const { rows } = await bank.bank.pool.query(
    'select 1 from events.delivery d join events.endpoint p using (endpoint_id) where p.client_id = $1',
    ['other-hooks'],
  )
  expect(rows.length).toBeGreaterThan(0)
})
