/** Registered clients have an owner, and in live a second person approves their rights. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyScope } from '../../../kernel/domain/scopes.ts'
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

async function mutate(bank: Platform, field: string, token?: string) {
  const { body } = await bank.graph(`mutation { it: ${field} }`, {}, token ? { token } : {})
  return { it: body.data?.it, code: body.errors?.[0]?.extensions.code as string | undefined }
}
const register = (bank: Platform, clientId: string, token?: string, more = '') =>
  mutate(
    bank,
    `registerOAuthClient(input: { clientId: "${clientId}", label: "A program",
      scopes: [${everyScope.map((scope) => `"${scope}"`)}] ${more} }) { secret client { ${fields} } }`,
    token,
  )
const approve = (clientId: string, token: string) =>
  mutate(live, `approveOAuthClient(clientId: "${clientId}") { ${fields} }`, token)

async function tokenEndpoint(bank: Platform, clientId: string, secret: string): Promise<string> {
  const answer = await fetch(bank.credentials.tokenEndpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return ((await answer.json()) as { access_token?: string }).access_token ?? ''
}

test('live: issues no token to a new client before another person has approved its rights', async () => {
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

test('live: holds added rights for approval, reduces rights at once, and can reject a proposal', async () => {
  await register(live, 'growing')
  await approve('growing', live.token({ clientId: 'olga' }))
  const change = (input: string) =>
    mutate(live, `changeOAuthClient(input: { clientId: "growing" ${input} }) { ${fields} }`)
  const fewer = await change('scopes: ["fees:read"]')
  expect(fewer.it).toMatchObject({ scopes: ['fees:read'], proposal: null })
  const more = await change('actsFor: ["officer_9"]')
  expect(more.it).toMatchObject({ actsFor: [], proposal: { actsFor: ['officer_9'] } })
  const rejected = await mutate(live, `rejectOAuthClient(clientId: "growing") { ${fields} }`)
  expect(rejected.it).toMatchObject({ actsFor: [], scopes: ['fees:read'], proposal: null })
})

test('a client and the clients that it registers share an owner and count as one person in four eyes', async () => {
  const first = await register(sandbox, 'first')
  const token = await tokenEndpoint(sandbox, 'first', first.it.secret)
  const second = await register(sandbox, 'second', token)
  expect(second.it.client.owner).toBe('test-client')
  const other = await tokenEndpoint(sandbox, 'second', second.it.secret)

  const template = `createNotificationTemplate(input: { templateId: "tpl_own", channel: EMAIL,
    subject: "Hello", body: "Hello", status: "draft" }) { templateId }`
  expect((await mutate(sandbox, template, token)).code).toBeUndefined()
  await mutate(sandbox, 'submitNotificationTemplate(templateId: "tpl_own") { status }', token)
  const review = 'approveNotificationTemplate(templateId: "tpl_own") { status }'
  expect((await mutate(sandbox, review, other)).code).toBe('SEGREGATION_OF_DUTIES')
  expect((await mutate(sandbox, review)).code).toBe('SEGREGATION_OF_DUTIES')
  const olga = sandbox.token({ clientId: 'olga' })
  expect((await mutate(sandbox, review, olga)).it).toEqual({ status: 'APPROVED' })

  const grant = `grantCreditAuthority(decider: "second", limit: { amount: "1.00", currency: "EUR" }) { decider }`
  expect((await mutate(sandbox, grant, token)).code).toBe('SEGREGATION_OF_DUTIES')
})

test('lets only the owner rotate the secret of a client', async () => {
  await register(sandbox, 'owned')
  const rotate = 'rotateOAuthClientSecret(clientId: "owned") { secret }'
  const olga = sandbox.token({ clientId: 'olga' })
  expect((await mutate(sandbox, rotate, olga)).code).toBe('SEGREGATION_OF_DUTIES')
  expect((await mutate(sandbox, rotate)).it.secret).toMatch(/^.{43}$/)
})

test('rejects a client id that names a person, party or client, and a client that acts for a client', async () => {
  await mutate(
    sandbox,
    'createParty(input: { partyId: "pty_eve", kind: PERSON, givenName: "Eve", familyName: "Moreno" }) { partyId }',
  )
  for (const name of ['ada', 'pty_eve', 'test-client', 'officer_mary']) {
    const actions = name === 'officer_mary' ? 'actsFor: ["test-client"]' : ''
    const { code } = await register(sandbox, actions ? 'impostor' : name, undefined, actions)
    expect([name, code]).toEqual([name, 'NAME_TAKEN'])
  }
})
