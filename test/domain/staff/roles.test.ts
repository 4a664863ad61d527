import { expect, test } from 'vitest'
import { everyScope } from '../../../kernel/domain/scopes.ts'
import { scopesByRole, scopesOf } from '../../../subgraphs/staff/domain/roles.ts'
import { StaffRole } from '../../../subgraphs/staff/model/employee.ts'

test('an auditor reads everything and changes nothing but the own log-ins', () => {
  const expected = everyScope.filter((scope) => /:read$|^sessions:manage$/.test(scope))
  expect(scopesOf(['auditor'])).toEqual(expected)
})

test.each(StaffRole.values)('the role %s has existing scopes, each once', (role) => {
  const scopes = scopesByRole[role]
  expect(new Set(scopes).size).toBe(scopes.length)
  expect(everyScope).toEqual(expect.arrayContaining([...scopes]))
})

test('only an administrator manages employees and clients', () => {
  for (const scope of ['staff:manage', 'clients:manage'] as const) {
    expect(StaffRole.values.filter((role) => scopesByRole[role].includes(scope))).toEqual([
      'administrator',
    ])
  }
})

test('an administrator has no access to the business of the bank', () => {
  const business = /^(accounts|postings|lending|credit|loans|parties|cases|fees):/
  expect(scopesByRole.administrator.filter((scope) => business.test(scope))).toEqual([])
})

test('the scopes of several roles are those of each, in the order of all scopes', () => {
  const scopes = scopesOf(['operations', 'teller', 'teller'])
  expect(scopes).toEqual(everyScope.filter((scope) => scopes.includes(scope)))
  expect(new Set(scopes)).toEqual(
    new Set([
      ...scopesByRole.operations,
      ...scopesByRole.teller,
      'sessions:read',
      'sessions:manage',
    ]),
  )
  expect(scopesOf([])).toEqual([])
})
