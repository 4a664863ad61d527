/** Programs that may call the bank: registered, with rights of their own, and out at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyScope, type Scope } from '../../../subgraphs/_kernel/scopes.ts'
import { aPlatform, eventually, type Platform, type RestOptions } from '../../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
})
afterAll(() => bank.stop())

let serial = 0
const fields = 'clientId label scopes disabledAt formerUntil'

async function run(document: string, variables: object, options: RestOptions = {}) {
  const { body } = await bank.graph(document, { ...variables }, options)
  return { answer: body.data?.answer, problem: body.errors?.[0]?.extensions }
}
const registering = (input: object, options: RestOptions = {}) =>
  run(
    `mutation ($input: RegisterOAuthClientInput!) {
      answer: registerOAuthClient(input: $input) { secret client { ${fields} } } }`,
    { input },
    options,
  )
const rotating = (clientId: string, overlapHours?: number, options: RestOptions = {}) =>
  run(
    `mutation ($clientId: ID!, $overlapHours: Int) {
      answer: rotateOAuthClientSecret(clientId: $clientId, overlapHours: $overlapHours) {
        secret client { ${fields} } } }`,
    { clientId, overlapHours },
    options,
  )
const changing = (input: object) =>
  run(
    `mutation ($input: ChangeOAuthClientInput!) { answer: changeOAuthClient(input: $input) { ${fields} } }`,
    { input },
  )
const moving = (name: 'disable' | 'enable', clientId: string, options: RestOptions = {}) =>
  run(
    `mutation ($id: ID!) { answer: ${name}OAuthClient(clientId: $id) { ${fields} } }`,
    { id: clientId },
    options,
  )

const approving = (clientId: string, options: RestOptions = {}) =>
  run(
    `mutation ($id: ID!) { answer: approveOAuthClient(clientId: $id) { ${fields} } }`,
    { id: clientId },
    { token: bank.token({ clientId: 'second-person' }), ...options },
  )

/** A client with these scopes, approved, and its secret. */
async function aClient(scopes: readonly Scope[] = ['agreements:read']) {
  const clientId = `shop-${++serial}`
  const { answer, problem } = await registering({ clientId, label: 'A shop', scopes })
  if (problem) throw new Error(JSON.stringify(problem))
  await approving(clientId)
  return { clientId, secret: answer.secret as string }
}

async function tokenOf({ clientId, secret }: { clientId: string; secret: string }, scope?: string) {
  const answer = await fetch(bank.credentials.tokenEndpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) }),
  })
  return (await answer.json()) as { access_token: string; scope: string; error?: string }
}
const agreementsAs = async (token: string) =>
  (await bank.rest('GET', '/agreements', undefined, { token })).status

describe('a client', () => {
  test('gets tokens with its secret, and may do what it was given and no more', async () => {
    const client = await aClient(['notifications:write', 'agreements:read'])
    const { access_token: token, scope } = await tokenOf(client)
    expect(scope).toBe('agreements:read notifications:write')
    expect(await agreementsAs(token)).toBe(200)
    const { body } = await bank.rest('GET', '/fee-runs', undefined, { token })
    expect(body).toMatchObject({ status: 403, code: 'INSUFFICIENT_SCOPE' })
    expect(await tokenOf(client, 'fees:read')).toMatchObject({ error: 'invalid_scope' })
    const wrong = { ...client, secret: `${client.secret.slice(1)}x` }
    expect(await tokenOf(wrong)).toMatchObject({ error: 'invalid_client' })
  })

  test('is there with its label, and without its secret', async () => {
    const { clientId } = await aClient()
    const { answer } = await run(
      `{ answer: oauthClient(clientId: "${clientId}") { ${fields} } }`,
      {},
    )
    expect(answer).toEqual({
      clientId,
      label: 'A shop',
      scopes: ['agreements:read'],
      disabledAt: null,
      formerUntil: null,
    })
    const list = await run('{ answer: oauthClients(first: 200) { nodes { clientId } } }', {})
    expect(list.answer.nodes).toContainEqual({ clientId })
    const unknown = await run('{ answer: oauthClient(clientId: "nobody") { clientId } }', {})
    expect(unknown).toMatchObject({ answer: null, problem: undefined })
  })

  test('is registered once for a key, whose answer shows the secret again', async () => {
    const asked = { label: 'Once', scopes: ['fees:read'] }
    const first = await registering(asked, { key: 'register-1' })
    expect(first.answer.client.clientId).toMatch(/^cli_/)
    expect(await registering(asked, { key: 'register-1' })).toEqual(first)
  })

  test.each<[string, object, string]>([
    ['a scope nobody knows', { scopes: ['agreements:read', 'money:print'] }, 'VALIDATION_FAILED'],
    ['no scope', { scopes: [] }, 'VALIDATION_FAILED'],
    ['the name of one of ours', { clientId: 'bankgraph-live' }, 'RESOURCE_EXISTS'],
  ])('with %s is refused', async (_, wrong, code) => {
    const { problem } = await registering({ label: 'Shop', scopes: ['fees:read'], ...wrong })
    expect(problem.code).toBe(code)
  })

  test('under an id that is taken is refused, also when two ask at once', async () => {
    const input = { clientId: 'twice', label: 'Twice', scopes: ['fees:read'] }
    const both = await Promise.all([registering(input), registering(input)])
    const codes = both.map(({ problem }) => problem?.code)
    expect(codes.filter((code) => code)).toEqual(['RESOURCE_EXISTS'])
  })

  test('is given nothing by who does not have it, nor by who acts for a party', async () => {
    const scopes: Scope[] = ['clients:manage', 'fees:read']
    const asked = { label: 'Shop', scopes: ['fees:read', 'fees:run'] }
    const narrow = await registering(asked, { token: bank.token({ scopes }) })
    expect(narrow.problem).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope: 'fees:run' })
    const ada = await registering(asked, { token: bank.token({ partyId: 'pty_ada' }) })
    expect(ada.problem.code).toBe('INSUFFICIENT_SCOPE')
    const without = everyScope.filter((scope) => scope !== 'clients:manage')
    const other = await registering(asked, { token: bank.token({ scopes: without }) })
    expect(other.problem).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope: 'clients:manage' })
  })
})

describe('a secret', () => {
  test('is replaced; the one before is good for a day, or not at all', async () => {
    const client = await aClient()
    const { answer } = await rotating(client.clientId)
    const hours = (Date.parse(answer.client.formerUntil) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    const next = { ...client, secret: answer.secret }
    expect((await tokenOf(client)).error).toBeUndefined()
    expect((await tokenOf(next)).error).toBeUndefined()
    const last = { ...client, secret: (await rotating(client.clientId, 0)).answer.secret }
    expect((await tokenOf(client)).error).toBe('invalid_client')
    expect((await tokenOf(next)).error).toBe('invalid_client')
    expect((await tokenOf(last)).error).toBeUndefined()
    expect((await rotating(client.clientId, 169)).problem.code).toBe('VALIDATION_FAILED')
  })

  test('is made for nobody who has less than the client, nor is the client let in again', async () => {
    const { clientId } = await aClient(['agreements:read', 'fees:run'])
    const narrow = { token: bank.token({ scopes: ['clients:manage', 'agreements:read'] }) }
    const refusal = { code: 'INSUFFICIENT_SCOPE', scope: 'fees:run' }
    expect((await rotating(clientId, 24, narrow)).problem).toMatchObject(refusal)
    expect((await moving('disable', clientId, narrow)).problem).toBeUndefined()
    expect((await moving('enable', clientId, narrow)).problem).toMatchObject(refusal)
  })

  test('is in no event, fact or answer that is kept', async () => {
    const { secret } = await aClient()
    const { rows } = await bank.bank.pool.query<{ found: string }>(
      `select coalesce(string_agg(row_to_json(t)::text, ' '), '') as found from (
         select data::text from kernel.event union all select data::text from kernel.fact
         union all select answer::text from kernel.idempotency
         union all select events::text from kernel.outbox) t`,
    )
    expect(rows[0]!.found).not.toContain(secret)
  })
})

describe('what it may do', () => {
  test('ends at once when it is disabled, and begins again', async () => {
    const client = await aClient()
    const { access_token: token } = await tokenOf(client)
    expect(await agreementsAs(token)).toBe(200)
    const { answer } = await moving('disable', client.clientId)
    expect(answer.disabledAt).not.toBeNull()
    expect(await agreementsAs(token)).toBe(401)
    expect((await tokenOf(client)).error).toBe('invalid_client')
    expect((await rotating(client.clientId)).problem.code).toBe('STATE_CONFLICT')
    await moving('enable', client.clientId)
    // Tokens count in whole seconds.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect(await agreementsAs((await tokenOf(client)).access_token)).toBe(200)
  })

  test('ends for tokens, too, that it got while it was being disabled', async () => {
    const client = await aClient()
    const holder = await bank.bank.pool.connect()
    await holder.query('begin')
    await holder.query('select from operations.oauth_client where client_id = $1 for update', [
      client.clientId,
    ])
    const disabling = moving('disable', client.clientId)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const { access_token: token } = await tokenOf(client)
    await holder.query('commit')
    holder.release()
    expect((await disabling).answer.disabledAt).not.toBeNull()
    expect(await agreementsAs(token)).toBe(401)
  })

  test('is more from the next token on, and less at once', async () => {
    const client = await aClient(['agreements:read', 'fees:read'])
    const { clientId } = client
    const { access_token: token } = await tokenOf(client)
    const more = ['agreements:read', 'fees:read', 'parties:read']
    await changing({ clientId, scopes: more, label: 'A bigger shop' })
    await approving(clientId)
    expect(await agreementsAs(token)).toBe(200)
    expect((await tokenOf(client)).scope.split(' ').toSorted()).toEqual(more.toSorted())
    const { answer } = await changing({ clientId, scopes: ['fees:read'] })
    expect(answer).toMatchObject({ label: 'A bigger shop', scopes: ['fees:read'] })
    expect(await agreementsAs(token)).toBe(401)
    expect((await tokenOf(client)).scope).toBe('fees:read')
  })

  test('and who changed it, is in its audit trail', async () => {
    const { clientId } = await aClient()
    await moving('disable', clientId)
    const trail = `{ answer: auditTrail(subject: "oauth-client/${clientId}") { nodes { type actor } } }`
    const steps = await eventually(async () => {
      const { answer } = await run(trail, {})
      return answer.nodes.length > 2 && answer.nodes
    })
    expect(steps).toEqual([
      { type: 'operations.oauth-client.registered', actor: 'test-client' },
      { type: 'operations.oauth-client.approved', actor: 'second-person' },
      { type: 'operations.oauth-client.disabled', actor: 'test-client' },
    ])
  })
})
