import { expect, test } from 'vitest'
import { requireKnownTypes } from '../../../kernel/domain/event-filter.ts'

const known = [
  'accounts.arrangement.opened',
  'accounts.balance.changed',
  'payments.payment.settled',
  'payments.payment.returned',
]

test.each(['*', 'accounts.*', 'payments.payment.*', 'accounts.balance.changed'])(
  'accepts the pattern %s',
  (pattern) => {
    expect(() => requireKnownTypes([pattern], known)).not.toThrow()
  },
)

test.each([
  ['payments.payment.setled', 'payments.payment.settled'],
  ['account.*', 'accounts.*'],
  ['payments.paiment.*', 'payments.payment.*'],
])('rejects %s and suggests %s', (pattern, nearest) => {
  const refused = { code: 'UNKNOWN_EVENT_TYPE', members: { errors: [{ pointer: '/types/0' }] } }
  let problem: any
  try {
    requireKnownTypes([pattern], known)
  } catch (error) {
    problem = error
  }
  expect(problem).toMatchObject(refused)
  expect(problem.members.errors[0].allowed[0]).toBe(nearest)
})
