/** Registered clients have an owner, and in live a second person approves what they may do. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyScope } from '../../../subgraphs/_kernel/scopes.ts'
import { aPlatform, type Platform } from '../../kit/platform.ts'

let live: Platform
let sandbox: Platform
beforeAll(async () => {
  live = await aPlatform('live')
  sandbox = await aPlatform('sandbox')
})
afterAll(async () => {
  await live.stop()
  await sandbox.stop()
})

const fields = 'clientId owner actsFor scopes proposal { scopes actsFor proposedBy }'

async function act(bank: Platform, field: string, token?: string) {
  const { body } = await bank.graph(`mutation { it: ${field} }`, {}, token ? { token } : {})
  return { it: body.data?.it, code: body.errors?.[0]?.extensions.code as string | undefined }
}
const register = (bank: Platform, clientId: string, token?: string, more = '') =>
  act(
    bank,
    `registerOAuthClient(input: { clientId: "${clientId}", label: "A program",
      scopes: [${everyScope.map((scope) => `"${scope}"`)}] ${more} }) { secret client { ${fields} } }`,
    token,
  )
const approve = (clientId: string, token: string) =>
  act(live, `approveOAuthClient(clientId: "${clientId}") { ${fields} }`, token)

async function tokenEndpoint(bank: Platform, clientId: string, secret: string): Promise<string> {
  const answer = await fetch(bank.credentials.tokenEndpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return ((await answer.json()) as { access_token?: string }).access_token ?? ''
}

test('in live, a registered client gets no token before another person has approved its rights', async () => {
  const { it } = await register(live, 'waiting')
  expect(it.client).toMatchObject({
    owner: 'test-client',
    scopes: [],
    proposal: { scopes: everyScope, proposedBy: 'test-client' },
  })
  expect(await tokenEndpoint(live, 'waiting', it.secret)).toBe('')
  expect((await approve('waiting', live.token())).code).toBe('SEGREGATION_OF_DUTIES')
  const narrow = live.token({ clientId: 'olga', scopes: ['clients:manage'] })
  expect((await approve('waiting', narrow)).code).toBe('INSUFFICIENT_SCOPE')
  const approved = await approve('waiting', live.token({ clientId: 'olga' }))
  expect(approved.it).toMatchObject({ scopes: everyScope, proposal: null })
  expect(await tokenEndpoint(live, 'waiting', it.secret)).not.toBe('')
  expect((await approve('waiting', live.token({ clientId: 'olga' }))).code).toBe('STATE_CONFLICT')
})

test('in live, more rights wait for a second person, fewer are in force at once, and a proposal can be rejected', async () => {
  await register(live, 'growing')
  await approve('growing', live.token({ clientId: 'olga' }))
  const change = (input: string) =>
    act(live, `changeOAuthClient(input: { clientId: "growing" ${input} }) { ${fields} }`)
  const fewer = await change('scopes: ["fees:read"]')
  expect(fewer.it).toMatchObject({ scopes: ['fees:read'], proposal: null })
  const more = await change('actsFor: ["officer_9"]')
  expect(more.it).toMatchObject({ actsFor: [], proposal: { actsFor: ['officer_9'] } })
  const rejected = await act(live, `rejectOAuthClient(clientId: "growing") { ${fields} }`)
  expect(rejected.it).toMatchObject({ actsFor: [], scopes: ['fees:read'], proposal: null })
})

test('clients that a client registers have its owner, and are one person in every four-eyes rule', async () => {
  const first = await register(sandbox, 'first')
  const token = await tokenEndpoint(sandbox, 'first', first.it.secret)
  const second = await register(sandbox, 'second', token)
  expect(second.it.client.owner).toBe('test-client')
  const other = await tokenEndpoint(sandbox, 'second', second.it.secret)

  const template = `createNotificationTemplate(input: { templateId: "tpl_own", channel: EMAIL,
    subject: "Hello", body: "Hello", status: "draft" }) { templateId }`
  expect((await act(sandbox, template, token)).code).toBeUndefined()
  await act(sandbox, 'submitNotificationTemplate(templateId: "tpl_own") { status }', token)
  const review = 'approveNotificationTemplate(templateId: "tpl_own") { status }'
  expect((await act(sandbox, review, other)).code).toBe('SEGREGATION_OF_DUTIES')
  expect((await act(sandbox, review)).code).toBe('SEGREGATION_OF_DUTIES')
  const olga = sandbox.token({ clientId: 'olga' })
  expect((await act(sandbox, review, olga)).it).toEqual({ status: 'APPROVED' })

  const grant = `grantCreditAuthority(decider: "second", limit: { amount: "1.00", currency: "EUR" }) { decider }`
  expect((await act(sandbox, grant, token)).code).toBe('SEGREGATION_OF_DUTIES')
})

test('the secret of a client is for its owner: nobody else can take its place', async () => {
  await register(sandbox, 'owned')
  const rotate = 'rotateOAuthClientSecret(clientId: "owned") { secret }'
  const olga = sandbox.token({ clientId: 'olga' })
  expect((await act(sandbox, rotate, olga)).code).toBe('SEGREGATION_OF_DUTIES')
  expect((await act(sandbox, rotate)).it.secret).toMatch(/^.{43}$/)
})

test('a client has no name of a person or a party, and acts for no client', async () => {
  await act(
    sandbox,
    'createParty(input: { partyId: "pty_eve", kind: PERSON, givenName: "Eve", familyName: "Moreno" }) { partyId }',
  )
  for (const name of ['ada', 'pty_eve', 'test-client', 'officer_mary']) {
    const acts = name === 'officer_mary' ? 'actsFor: ["test-client"]' : ''
    const { code } = await register(sandbox, acts ? 'impostor' : name, undefined, acts)
    expect([name, code]).toEqual([name, 'NAME_TAKEN'])
  }
})
