/** Programs that call the bank: registration, rights, secrets, and access that ends at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyScope, type Scope } from '../../../kernel/domain/scopes.ts'
import { aPlatform, eventually, type Platform, type RestOptions } from '../../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
})
afterAll(() => bank.stop())

const registrar = 'registrar'
let serial = 0
const fields = 'clientId label scopes disabledAt formerUntil'

/** Runs a document, by default as the person who registers the clients. */
async function run(document: string, variables: object, options: RestOptions = {}) {
  const token = bank.token({ subject: registrar })
  const { body } = await bank.graph(document, { ...variables }, { token, ...options })
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
const transitioning = (name: 'disable' | 'enable', clientId: string, options: RestOptions = {}) =>
  run(
    `mutation ($id: ID!) { answer: ${name}OAuthClient(clientId: $id) { ${fields} } }`,
    { id: clientId },
    options,
  )

const approving = (clientId: string, options: RestOptions = {}) =>
  run(
    `mutation ($id: ID!) { answer: approveOAuthClient(clientId: $id) { ${fields} } }`,
    { id: clientId },
    { token: bank.token({ subject: 'second-person' }), ...options },
  )

/** An approved client with these scopes, and its secret. */
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

describe('OAuth client', () => {
  test('gets tokens with its secret, limited to its scopes', async () => {
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

  test('is listed with its label and without its secret', async () => {
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

  test('is registered once per idempotency key, and the replayed response shows the secret again', async () => {
    const request = { label: 'Once', scopes: ['fees:read'] }
    const first = await registering(request, { key: 'register-1' })
    expect(first.answer.client.clientId).toMatch(/^cli_/)
    expect(await registering(request, { key: 'register-1' })).toEqual(first)
  })

  test.each<[string, object, string]>([
    ['an unknown scope', { scopes: ['agreements:read', 'money:print'] }, 'VALIDATION_FAILED'],
    ['no scope', { scopes: [] }, 'VALIDATION_FAILED'],
    ['the id of a client of the bank itself', { clientId: 'bankgraph-live' }, 'RESOURCE_EXISTS'],
  ])('with %s is rejected', async (_, wrong, code) => {
    const { problem } = await registering({ label: 'Shop', scopes: ['fees:read'], ...wrong })
    expect(problem.code).toBe(code)
  })

  test('under a taken id is rejected, also when two register at once', async () => {
    const input = { clientId: 'twice', label: 'Twice', scopes: ['fees:read'] }
    const both = await Promise.all([registering(input), registering(input)])
    const codes = both.map(({ problem }) => problem?.code)
    expect(codes.filter((code) => code)).toEqual(['RESOURCE_EXISTS'])
  })

  test('cannot get scopes that its registrar lacks, nor be registered by a delegated user', async () => {
    const scopes: Scope[] = ['clients:manage', 'fees:read']
    const request = { label: 'Shop', scopes: ['fees:read', 'fees:run'] }
    const narrow = await registering(request, {
      token: bank.token({ subject: registrar, scopes }),
    })
    expect(narrow.problem).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope: 'fees:run' })
    const ada = await registering(request, { token: bank.token({ partyId: 'pty_ada' }) })
    expect(ada.problem.code).toBe('INSUFFICIENT_SCOPE')
    const without = everyScope.filter((scope) => scope !== 'clients:manage')
    const other = await registering(request, { token: bank.token({ scopes: without }) })
    expect(other.problem).toMatchObject({ code: 'INSUFFICIENT_SCOPE', scope: 'clients:manage' })
  })
})

describe('client secret', () => {
  test('is rotated, and the previous one is valid for a day or not at all', async () => {
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

  test('cannot be rotated, nor its client enabled, by a caller with fewer scopes than the client', async () => {
    const { clientId } = await aClient(['agreements:read', 'fees:run'])
    const scopes: Scope[] = ['clients:manage', 'agreements:read']
    const narrow = { token: bank.token({ subject: registrar, scopes }) }
    const refusal = { code: 'INSUFFICIENT_SCOPE', scope: 'fees:run' }
    expect((await rotating(clientId, 24, narrow)).problem).toMatchObject(refusal)
    expect((await transitioning('disable', clientId, narrow)).problem).toBeUndefined()
    expect((await transitioning('enable', clientId, narrow)).problem).toMatchObject(refusal)
  })

  test('is in no stored event, fact or response', async () => {
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

describe('rights of a client', () => {
  test('end at once when it is disabled, and return when it is enabled', async () => {
    const client = await aClient()
    const { access_token: token } = await tokenOf(client)
    expect(await agreementsAs(token)).toBe(200)
    const { answer } = await transitioning('disable', client.clientId)
    expect(answer.disabledAt).not.toBeNull()
    expect(await agreementsAs(token)).toBe(401)
    expect((await tokenOf(client)).error).toBe('invalid_client')
    expect((await rotating(client.clientId)).problem.code).toBe('STATE_CONFLICT')
    await transitioning('enable', client.clientId)
    // Token times have a resolution of a second.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    expect(await agreementsAs((await tokenOf(client)).access_token)).toBe(200)
  })

  test('end also for tokens issued while it was being disabled', async () => {
    const client = await aClient()
    const holder = await bank.bank.pool.connect()
    await holder.query('begin')
    await holder.query('select from operations.oauth_client where client_id = $1 for update', [
      client.clientId,
    ])
    const disabling = transitioning('disable', client.clientId)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const { access_token: token } = await tokenOf(client)
    await holder.query('commit')
    holder.release()
    expect((await disabling).answer.disabledAt).not.toBeNull()
    expect(await agreementsAs(token)).toBe(401)
  })

  test('are extended with the next token and reduced at once', async () => {
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

  test('appear in the audit trail with who changed them', async () => {
    const { clientId } = await aClient()
    await transitioning('disable', clientId)
    const trail = `{ answer: auditTrail(subject: "oauth-client/${clientId}") { nodes { type actor } } }`
    const steps = await eventually(async () => {
      const { answer } = await run(trail, {})
      return answer.nodes.length > 2 && answer.nodes
    })
    expect(steps).toEqual([
      { type: 'operations.oauth-client.registered', actor: registrar },
      { type: 'operations.oauth-client.approved', actor: 'second-person' },
      { type: 'operations.oauth-client.disabled', actor: registrar },
    ])
  })
})
