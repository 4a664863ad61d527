import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { importJWK, SignJWT, type CryptoKey } from 'jose'
import { clientKeyOf } from '../../host/secrets.ts'
import { seedPrincipal } from '../../kernel/authorization/principals.ts'
import { ada, aPlatform, secrets, type Platform } from '../kit/platform.ts'
import { ABrowser } from './browser.ts'
import { aProver, type Prover } from './dpop-kit.ts'

export const callback = 'https://app.example/callback'
export const verifier = randomBytes(32).toString('base64url')
export const challenge = createHash('sha256').update(verifier).digest('base64url')

type Form = Record<string, string | undefined>

/** What a request to an endpoint of the authorization server says; undefined leaves a member out. */
export interface Request {
  form?: Form
  /** Claims of the client assertion that replace the right ones. */
  assertion?: Record<string, unknown>
  /** The whole client assertion. */
  client_assertion?: string
  header?: Record<string, unknown>
  key?: CryptoKey
  clientId?: string
  /** Claims of the proof that replace the right ones; null sends no proof. */
  proof?: Record<string, unknown> | null
  prover?: Prover
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  body: Record<string, any>
  nonce: string | null
}

export type FapiBank = Awaited<ReturnType<typeof aFapiBank>>

/** A bank with the profile `fapi2` and an app with a key, which customers can use. */
export async function aFapiBank() {
  const bank = await aPlatform('sandbox', undefined, true, { SECURITY_PROFILE: 'fapi2' })
  // The bank's own client registers the app in the name of a person.
  await seedPrincipal(bank.bank.pool, secrets.clientId, ['olga'], 'olga')
  const operatorKey = (await importJWK(clientKeyOf(secrets.cookieKey), 'ES256')) as CryptoKey
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const appKey = (await importJWK(pair.privateKey.export({ format: 'jwk' }), 'ES256')) as CryptoKey
  const prover = await aProver()
  let nonce: string | undefined

  const assertionOf = ({ assertion, header, key, clientId = 'app' }: Request) => {
    const at = Math.floor(Date.now() / 1000)
    const right = { iss: clientId, sub: clientId, aud: bank.url, jti: randomUUID(), iat: at }
    const claims = Object.entries({ ...right, exp: at + 60, ...assertion })
    return new SignJWT(Object.fromEntries(claims.filter(([, value]) => value !== undefined)))
      .setProtectedHeader({ alg: 'ES256', ...header })
      .sign(key ?? (clientId === 'app' ? appKey : operatorKey))
  }

  /** Sends one request as the app, with all that the profile requires. */
  async function post(path: string, request: Request): Promise<Answer> {
    const url = `${bank.url}${path}`
    const { clientId = 'app', form = {}, proof = {}, headers } = request
    const all: Form = {
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: request.client_assertion ?? (await assertionOf(request)),
      ...form,
    }
    const members = Object.entries(all).filter((each): each is [string, string] => Boolean(each[1]))
    const dpop =
      proof &&
      (await (request.prover ?? prover).proof({
        method: 'POST',
        url,
        claims: { ...(nonce && { nonce }), ...proof },
      }))
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...(dpop && { dpop }), ...headers },
      body: new URLSearchParams(members),
    })
    const next = answer.headers.get('dpop-nonce')
    if (next) nonce = next
    const body = (await answer.json()) as Record<string, any>
    return { status: answer.status, body, nonce: next }
  }

  const push = (form: Form = {}, request: Request = {}) =>
    post('/oauth/par', {
      ...request,
      form: {
        response_type: 'code',
        redirect_uri: callback,
        scope: 'accounts:read',
        code_challenge: challenge,
        code_challenge_method: 'S256',
        ...form,
        ...request.form,
      },
    })

  const authorizeUrl = (parameters: Record<string, string>) =>
    new URL(`/oauth/authorize?${new URLSearchParams(parameters)}`, bank.url)

  /** Logs Ada in and returns the code. */
  async function code(): Promise<string> {
    const { body } = await push()
    const at = await new ABrowser().through(
      authorizeUrl({ client_id: 'app', request_uri: body.request_uri }),
      [{ username: ada.username, password: ada.password }, { decision: 'allow' }],
    )
    return at.searchParams.get('code')!
  }

  const exchange = (form: Form, request: Request = {}) =>
    post('/oauth/token', {
      ...request,
      form: {
        grant_type: 'authorization_code',
        redirect_uri: callback,
        code_verifier: verifier,
        ...form,
        ...request.form,
      },
    })

  const operator = (request: Request = {}) =>
    post('/oauth/token', {
      clientId: secrets.clientId,
      ...request,
      form: { grant_type: 'client_credentials', ...request.form },
    })

  await operator()
  await registerApp(bank, prover, (await operator()).body.access_token as string, {
    ...pair.publicKey.export({ format: 'jwk' }),
  })
  return {
    ...bank,
    prover,
    appKey,
    assertionOf,
    post,
    push,
    authorizeUrl,
    code,
    exchange,
    operator,
  }
}

async function registerApp({ url: origin }: Platform, prover: Prover, token: string, jwk: object) {
  const url = `${origin}/graphql`
  const query = `mutation ($jwks: JSONObject!) { registerOAuthClient(input: {
    clientId: "app", label: "App", scopes: ["accounts:read", "parties:read"], jwks: $jwks,
    authentication: PRIVATE_KEY, redirectUris: ["${callback}"] }) { secret } }`
  const call = async (nonce?: string | null) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `DPoP ${token}`,
        dpop: await prover.proof({
          method: 'POST',
          url,
          token,
          claims: { ...(nonce && { nonce }) },
        }),
      },
      body: JSON.stringify({ query, variables: { jwks: { keys: [jwk] } } }),
    })
  const answer = await call((await call()).headers.get('dpop-nonce'))
  const { errors } = (await answer.json()) as { errors?: object[] }
  if (errors) throw new Error(JSON.stringify(errors))
}
