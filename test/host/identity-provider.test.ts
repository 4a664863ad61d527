import { expect, test } from 'vitest'
import { trustedProvider } from '../../host/identity-provider.ts'
import { parseConfig } from '../../kernel/environment/config.ts'
import { scopesOf } from '../../subgraphs/staff/domain/roles.ts'

const provider = {
  AUTH_ISSUER: 'https://login.bank.example',
  AUTH_AUDIENCE: 'https://bank.example',
  AUTH_JWKS_URI: 'https://login.bank.example/jwks',
}
const trusted = (roles: object, claim?: string) =>
  trustedProvider(
    parseConfig({
      ...provider,
      AUTH_ROLES: JSON.stringify(roles),
      ...(claim && { AUTH_ROLES_CLAIM: claim }),
    }).identityProvider!,
  )
const groups = { 'bank-tellers': ['teller'], credit: ['loan-officer', 'contact-center-agent'] }

test('maps the groups of an employee to the scopes of the roles', () => {
  const { scopesOf: mapped } = trusted(groups)
  expect(mapped!({ roles: ['bank-tellers', 'sports'] })).toEqual(scopesOf(['teller']))
  expect(mapped!({ roles: 'credit' })).toEqual(scopesOf(['loan-officer', 'contact-center-agent']))
  expect(mapped!({ roles: [] })).toEqual([])
})

test('finds a claim inside others, and leaves tokens without it to their scopes', () => {
  const { scopesOf: mapped } = trusted(groups, 'realm_access.roles')
  expect(mapped!({ realm_access: { roles: ['bank-tellers'] } })).toEqual(scopesOf(['teller']))
  expect(mapped!({ roles: ['bank-tellers'], scope: 'credit:decide' })).toBeNull()
})

test.each([
  [{ roles: ['constructor', '__proto__', 7, null, {}] }],
  [{ roles: { a: 1 } }],
  [{ roles: 7 }],
])('gives no right for %j', (claims) => {
  expect(trusted(groups).scopesOf!(claims)).toEqual([])
})

test('refuses a role that does not exist, and a map without a provider', () => {
  expect(() => trusted({ all: ['king'] })).toThrow(
    /AUTH_ROLES must map to the roles teller, .*"king"/,
  )
  expect(() => parseConfig({ AUTH_ROLES: '{}' })).toThrow('Set all of AUTH_ISSUER')
  expect(() => parseConfig({ ...provider, AUTH_ROLES: '{"a":"teller"}' })).toThrow(
    'AUTH_ROLES must',
  )
})
