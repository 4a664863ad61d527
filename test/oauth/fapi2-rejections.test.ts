import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ada, secrets } from '../kit/platform.ts'
import { ABrowser } from './browser.ts'
import { aProver } from './dpop-kit.ts'
import { aFapiBank, callback, challenge, type FapiBank, type Request } from './fapi2-kit.ts'

// Each requirement of the FAPI 2.0 Security Profile that a server can refuse, once alone and in
// combination with another deviation. docs/security.md names these tests.
let bank: FapiBank
beforeAll(async () => {
  bank = await aFapiBank()
})
afterAll(() => bank.stop())

/** Refused, or throttled after many refusals. */
const refusals = [400, 401, 429]
const seconds = () => Math.floor(Date.now() / 1000)

/** Deviations of the client assertion. */
const assertions: Record<string, () => Request | Promise<Request>> = {
  'for the token endpoint': () => ({ assertion: { aud: `${bank.url}/oauth/token` } }),
  'for a list of audiences': () => ({ assertion: { aud: [bank.url] } }),
  'for another server': () => ({ assertion: { aud: 'https://other.example' } }),
  'without an audience': () => ({ assertion: { aud: undefined } }),
  'that has expired': () => ({ assertion: { exp: seconds() - 120, iat: seconds() - 180 } }),
  'without an end': () => ({ assertion: { exp: undefined } }),
  'without an ID': () => ({ assertion: { jti: undefined } }),
  'from the future': () => ({ assertion: { nbf: seconds() + 300 } }),
  'of another client': () => ({ assertion: { iss: secrets.clientId, sub: secrets.clientId } }),
  'with another issuer': () => ({ assertion: { iss: 'x' } }),
  'with another key': async () => ({ key: (await aProver()).privateKey }),
  'with an algorithm that the profile does not allow': () => ({ header: { alg: 'none' } }),
}

const notPushable: Record<string, Record<string, string | undefined>> = {
  'no code challenge': { code_challenge: undefined, code_challenge_method: undefined },
  'a plain code challenge': { code_challenge_method: 'plain' },
  'a code challenge that is too short': { code_challenge: 'x' },
  'no redirect URI': { redirect_uri: undefined },
  'another redirect URI': { redirect_uri: 'https://thief.example/callback' },
  'a longer redirect URI': { redirect_uri: `${callback}/x` },
  'a redirect URI with a query': { redirect_uri: `${callback}?x=1` },
  'an implicit response': { response_type: 'token' },
  'an ID token from the front channel': { response_type: 'code id_token', nonce: 'x' },
  'a response in the fragment': { response_mode: 'fragment' },
  'a scope that it does not have': { scope: 'postings:write' },
  'a scope of the bank': { scope: 'credit:decide' },
  'another resource': { resource: 'https://other.example' },
  'a request URI': { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
  'a key that is not that of its proof': { dpop_jkt: 'x'.repeat(43) },
}

describe('a pushed authorization request', () => {
  test('is accepted if it deviates in nothing', async () => {
    const { status, body } = await bank.push()
    expect(status).toBe(201)
    expect(body.expires_in).toBeLessThan(600)
  })

  test.each(Object.keys(assertions))('with an assertion %s is rejected', async (name) => {
    expect(refusals).toContain((await bank.push({}, await signed(name))).status)
  })

  test.each(Object.entries(notPushable))('with %s is rejected', async (_, form) => {
    expect((await bank.push(form)).status).toBe(400)
  })

  test('with a deviation of each kind at once is rejected', async () => {
    for (const form of Object.values(notPushable)) {
      for (const name of Object.keys(assertions)) {
        const { status } = await bank.push(form, await signed(name))
        expect(refusals, `${name} ${JSON.stringify(form)}`).toContain(status)
      }
    }
  })

  test('with a secret, or with the name of the client only, is rejected', async () => {
    const none = { client_assertion: undefined, client_assertion_type: undefined }
    const secret = { ...none, client_secret: secrets.clientSecret }
    for (const form of [none, secret]) {
      expect((await bank.push(form)).body).toMatchObject({
        error: expect.stringMatching(/^(invalid_client|invalid_request|slow_down)$/),
      })
    }
  })
})

describe('an authorization request', () => {
  test('that was not pushed is rejected', async () => {
    const browser = new ABrowser()
    const at = await browser.visit(
      bank.authorizeUrl({
        client_id: 'app',
        response_type: 'code',
        redirect_uri: callback,
        scope: 'accounts:read',
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }),
    )
    expect(at.searchParams.get('code')).toBeNull()
    expect(at.searchParams.get('error') ?? browser.page).toContain('invalid_request')
  })

  test('of another client, or that was never pushed, is rejected', async () => {
    const { body } = await bank.push()
    for (const parameters of [
      { client_id: secrets.clientId, request_uri: body.request_uri as string },
      { client_id: 'app', request_uri: 'urn:ietf:params:oauth:request_uri:none' },
      { client_id: 'app', request_uri: 'https://thief.example/request' },
    ]) {
      const browser = new ABrowser()
      await browser.visit(bank.authorizeUrl(parameters))
      expect(browser.status).toBe(400)
    }
  })

  test('gives only one code', async () => {
    const { body } = await bank.push()
    const url = bank.authorizeUrl({ client_id: 'app', request_uri: body.request_uri })
    const browser = new ABrowser()
    const pages: Record<string, string>[] = [
      { username: ada.username, password: ada.password },
      { decision: 'allow' },
    ]
    expect((await browser.through(url, pages)).searchParams.get('code')).toBeTruthy()
    const again = await browser.visit(url)
    expect(again.searchParams.get('code')).toBeNull()
    expect(browser.status).toBe(400)
  })
})

describe('a token request', () => {
  test.each(Object.keys(assertions))('with an assertion %s is rejected', async (name) => {
    // The right request is answered, however often wrong ones were refused.
    expect((await bank.operator()).status).toBe(200)
    const { status } = await bank.exchange({ code: 'x' }, await signed(name))
    expect(refusals).toContain(status)
  })

  test('with an assertion that was used is rejected', async () => {
    const client_assertion = await bank.assertionOf({ clientId: secrets.clientId })
    expect((await bank.operator({ client_assertion })).status).toBe(200)
    expect((await bank.operator({ client_assertion })).body.error).toBe('invalid_client')
  })

  test('without a proof, or with a proof for something else, is rejected', async () => {
    expect((await bank.operator({ proof: null })).status).toBe(400)
    for (const proof of [
      { htm: 'GET' },
      { htu: `${bank.url}/oauth/par` },
      { iat: undefined },
      { jti: undefined },
    ]) {
      expect((await bank.operator({ proof })).body.error).toBe('invalid_dpop_proof')
    }
  })

  test('without a nonce of the server gets one, and succeeds with it', async () => {
    const answer = await bank.operator({ proof: { nonce: undefined } })
    expect(answer.body.error).toBe('use_dpop_nonce')
    expect(answer.nonce).toBeTruthy()
    expect(await bank.operator()).toMatchObject({ status: 200, body: { token_type: 'DPoP' } })
  })

  test('with a code but another key is rejected', async () => {
    const thief = await aProver()
    const code = await bank.code()
    expect((await bank.exchange({ code }, { prover: thief })).body.error).toMatch(/invalid/)
    // The attempt cost the app its code.
    expect((await bank.exchange({ code: await bank.code() })).status).toBe(200)
  })

  test('with a code but a deviating form is rejected', async () => {
    for (const form of [
      { code_verifier: 'x'.repeat(43) },
      { code_verifier: undefined },
      { redirect_uri: `${callback}/x` },
      { redirect_uri: undefined },
      { code: 'x' },
      { client_id: secrets.clientId },
    ]) {
      const answer = await bank.exchange({ code: await bank.code(), ...form })
      expect(refusals, Object.keys(form).join()).toContain(answer.status)
    }
  })

  test('with a used code revokes the tokens', async () => {
    const code = await bank.code()
    const { body } = await bank.exchange({ code })
    expect((await bank.exchange({ code })).body.error).toBe('invalid_grant')
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token as string }
    expect((await bank.exchange(refresh)).body.error).toBe('invalid_grant')
  })

  test('with a stolen refresh token is rejected, and does not cost the app its own', async () => {
    const { body } = await bank.exchange({ code: await bank.code() })
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token as string }
    const { privateKey } = await aProver()
    for (const thief of [{ key: privateKey }, { clientId: secrets.clientId }, { proof: null }]) {
      expect(refusals).toContain((await bank.exchange(form, thief)).status)
    }
    expect((await bank.exchange(form)).status).toBe(200)
    expect((await bank.exchange(form)).status).toBe(200)
  })

  test('that races for one code is answered once', async () => {
    const code = await bank.code()
    const answers = await Promise.all(Array.from({ length: 20 }, () => bank.exchange({ code })))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    for (const { status } of answers) expect([200, 400]).toContain(status)
  })
})

test('a bearer token is rejected everywhere', async () => {
  for (const token of [bank.token(), bank.token({ partyId: 'pty_ada' })]) {
    const { status, body } = await bank.graph('{ environment { name } }', {}, { token })
    expect(status).toBe(401)
    expect(JSON.stringify(body)).toContain('TOKEN_INVALID')
  }
  const { access_token: token } = (await bank.operator()).body
  const answer = await bank.graph('{ environment { name } }', {}, { token: token as string })
  expect(answer.status).toBe(401)
})

test('the metadata names what the profile requires', async () => {
  const answer = await fetch(`${bank.url}/.well-known/oauth-authorization-server`)
  expect(await answer.json()).toMatchObject({
    require_pushed_authorization_requests: true,
    token_endpoint_auth_methods_supported: ['private_key_jwt'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    dpop_signing_alg_values_supported: ['ES256', 'PS256', 'EdDSA', 'Ed25519'],
  })
})

/** The deviation with this name; one that no library signs is put together here. */
async function signed(name: string): Promise<Request> {
  const request = await assertions[name]!()
  if (request.header?.['alg'] !== 'none') return request
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const at = seconds()
  const claims = { iss: 'app', sub: 'app', aud: bank.url, jti: `${at}`, iat: at, exp: at + 60 }
  return { client_assertion: `${encoded({ alg: 'none' })}.${encoded(claims)}.` }
}
