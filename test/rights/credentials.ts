import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { isDelegable, everyScope, type Scope } from '../../kernel/domain/scopes.ts'
import { eventually, type Platform } from '../kit/platform.ts'

/** The expected outcome of a request. */
export type Expected =
  | { is: 'refused'; code: 'UNAUTHENTICATED' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED' }
  | { is: 'lacking'; scope: Scope }
  | { is: 'admitted' }

/** A way to authenticate a request. */
export interface Credential {
  name: string
  /** null: not applicable to an operation with this scope. */
  show(scope: Scope | null): { authorization: string | undefined; query?: string } | null
  expects(scope: Scope | null): Expected
}

const refused = (code: 'UNAUTHENTICATED' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED') => () =>
  ({ is: 'refused', code }) as const
const admitted = () => ({ is: 'admitted' }) as const

function always(
  name: string,
  authorization: string | undefined,
  code: 'UNAUTHENTICATED' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED',
): Credential {
  return { name, show: () => ({ authorization }), expects: refused(code) }
}

/** Every kind of credential, valid and invalid, created once. */
export async function everyCredential(bank: Platform): Promise<Credential[]> {
  const good = bank.token()
  const at = Math.floor(Date.now() / 1000)
  const forged = (name: string, claims: object, header?: object) =>
    always(name, `Bearer ${bank.forge(claims, header)}`, 'TOKEN_INVALID')
  return [
    always('no token', undefined, 'UNAUTHENTICATED'),
    always('another scheme', `Basic ${Buffer.from('a:b').toString('base64')}`, 'UNAUTHENTICATED'),
    always('the scheme alone', 'Bearer', 'UNAUTHENTICATED'),
    {
      name: 'the token in the query string',
      show: () => ({ authorization: undefined, query: `access_token=${good}` }),
      expects: refused('UNAUTHENTICATED'),
    },
    always('not a JWT', 'Bearer abc', 'TOKEN_INVALID'),
    always('a truncated token', `Bearer ${good.slice(0, -9)}`, 'TOKEN_INVALID'),
    always('two tokens', `Bearer ${good}, Bearer ${good}`, 'TOKEN_INVALID'),
    always('claims changed after signing', `Bearer ${changed(good)}`, 'TOKEN_INVALID'),
    always('alg none', `Bearer ${unsigned(good)}`, 'TOKEN_INVALID'),
    always('signed with another key', `Bearer ${resigned(good)}`, 'TOKEN_INVALID'),
    forged('of another issuer', { iss: 'http://127.0.0.1:1' }),
    forged('for another audience', { aud: 'http://127.0.0.1:1/api' }),
    forged('an ID token', {}, { typ: 'JWT' }),
    forged('of the future', { iat: at + 3600, exp: at + 7200 }),
    forged('bound to a key', { cnf: { jkt: 'x' } }),
    always('expired', `Bearer ${bank.forge({ exp: at - 60 })}`, 'TOKEN_EXPIRED'),
    always('revoked', `Bearer ${await revokedToken(bank)}`, 'TOKEN_INVALID'),
    ...scopeCredentials(bank),
  ]
}

function scopeCredentials(bank: Platform): Credential[] {
  const tokens = new Map<string, string>()
  const having = (scopes: readonly Scope[], partyId?: string) => {
    const key = `${partyId ?? ''}|${scopes.join(' ')}`
    const token = tokens.get(key) ?? bank.token({ scopes, ...(partyId && { partyId }) })
    tokens.set(key, token)
    return { authorization: `Bearer ${token}` }
  }
  return [
    {
      name: 'every scope but its own',
      show: (scope) => (scope ? having(everyScope.filter((each) => each !== scope)) : null),
      expects: (scope) => ({ is: 'lacking', scope: scope! }),
    },
    {
      name: 'no scope',
      show: () => having([]),
      expects: (scope) => (scope ? { is: 'lacking', scope } : { is: 'admitted' }),
    },
    {
      name: 'a delegated user with every scope',
      show: () => having(everyScope, 'pty_grace'),
      expects: (scope) =>
        scope && !isDelegable(scope) ? { is: 'lacking', scope } : { is: 'admitted' },
    },
    { name: 'its scope alone', show: (scope) => having(scope ? [scope] : []), expects: admitted },
    { name: 'every scope', show: () => having(everyScope), expects: admitted },
    {
      name: 'the scheme in lower case',
      show: () => ({ authorization: having(everyScope).authorization.replace('Bearer', 'bearer') }),
      expects: admitted,
    },
  ]
}

async function revokedToken(bank: Platform): Promise<string> {
  const jti = randomUUID()
  const token = bank.forge({ jti })
  const revoke = `mutation ($id: ID!) { revokeTokens(input: { tokenId: $id }) { __typename } }`
  const { text, status, body } = await bank.graph(revoke, { id: jti })
  if (status !== 200 || body.errors) throw new Error(text)
  const request = () => bank.graph('{ problems { code } }', {}, { token })
  await eventually(async () => ((await request()).status === 401 ? true : null))
  return token
}

const parts = (token: string) => token.split('.') as [string, string, string]
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object

function changed(token: string): string {
  const [head, body, signature] = parts(token)
  return `${head}.${encode({ ...decode(body), sub: 'somebody-else' })}.${signature}`
}

function unsigned(token: string): string {
  const [head, body] = parts(token)
  return `${encode({ ...decode(head), alg: 'none' })}.${body}.`
}

function resigned(token: string): string {
  const [head, body] = parts(token)
  const { privateKey: key } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const data = Buffer.from(`${head}.${body}`)
  const signature = sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })
  return `${head}.${body}.${signature.toString('base64url')}`
}
