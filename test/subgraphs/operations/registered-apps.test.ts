/** Apps in live: their kind is fixed from the registration on, whatever is proposed and approved. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlatform, type Platform } from '../../kit/platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live', undefined, true)
})
afterAll(() => bank.stop())

const redirectUris = ['https://app.example/callback']

async function run(mutation: string, input: object, subject = 'registrar') {
  const { body } = await bank.graph(mutation, { input }, { token: bank.token({ subject }) })
  return body.errors ? (body.errors[0].extensions.code as string) : body.data.it
}
const registering = (input: object) =>
  run(
    `mutation ($input: RegisterOAuthClientInput!) { it: registerOAuthClient(input: $input) {
      client { authentication redirectUris proposal { redirectUris } } } }`,
    { label: 'App', scopes: ['accounts:read'], ...input },
  )
const changing = (input: object) =>
  run(
    `mutation ($input: ChangeOAuthClientInput!) { it: changeOAuthClient(input: $input) {
      scopes redirectUris proposal { scopes redirectUris } } }`,
    input,
  )
async function decide(decision: 'approve' | 'reject', clientId: string) {
  const mutation = `mutation { it: ${decision}OAuthClient(clientId: "${clientId}") {
    scopes redirectUris } }`
  return run(mutation, {}, 'second-person')
}
async function tokenErrorOf(clientId: string) {
  const answer = await fetch(bank.credentials.tokenEndpoint, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId }),
  })
  return ((await answer.json()) as { error?: string }).error
}

test('an app keeps its redirect URIs when its proposed scopes change', async () => {
  await registering({ clientId: 'app_1', authentication: 'NONE', redirectUris })
  expect(await changing({ clientId: 'app_1', scopes: ['parties:read'] })).toMatchObject({
    redirectUris: [],
    proposal: { scopes: ['parties:read'], redirectUris },
  })
  expect(await decide('approve', 'app_1')).toEqual({ scopes: ['parties:read'], redirectUris })
  expect(await tokenErrorOf('app_1')).toBe('invalid_request')
})

test('a public app cannot get scopes of the bank, before or after its approval', async () => {
  await registering({ clientId: 'app_2', authentication: 'NONE', redirectUris })
  const change = { clientId: 'app_2', scopes: ['credit:decide'] }
  expect(await changing(change)).toBe('VALIDATION_FAILED')
  await decide('approve', 'app_2')
  expect(await changing(change)).toBe('VALIDATION_FAILED')
  expect(await changing({ clientId: 'app_2', redirectUris: [] })).toBe('VALIDATION_FAILED')
})

test('a rejected public app never acts for itself', async () => {
  await registering({ clientId: 'app_3', authentication: 'NONE', redirectUris })
  await decide('reject', 'app_3')
  expect(await changing({ clientId: 'app_3', scopes: ['accounts:read'] })).toBe('VALIDATION_FAILED')
  expect(await tokenErrorOf('app_3')).toBe('invalid_client')
})

test('the authorization server gives no token to a client without a secret, a key and people', async () => {
  const data = { label: 'X', scopes: ['accounts:read'], isDisabled: false, redirectUris: [] }
  const keys = { secretHash: null, formerHash: null, formerUntil: null, jwks: null }
  await bank.bank.pool.query(
    "insert into kernel.fact (subject, version, data) values ('oauth-client/ghost', 1, $1)",
    [JSON.stringify({ ...data, ...keys })],
  )
  expect(await tokenErrorOf('ghost')).toBe('invalid_client')
})

test('a client that acts for itself cannot become an app', async () => {
  await registering({ clientId: 'shop' })
  await decide('approve', 'shop')
  expect(await changing({ clientId: 'shop', redirectUris })).toBe('VALIDATION_FAILED')
})
