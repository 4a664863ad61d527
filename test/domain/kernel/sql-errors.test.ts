/** Which errors mean that the database is away, whoever reports them. */
import { GraphQLError } from 'graphql'
import { expect, test } from 'vitest'
import {
  isLockTimeout,
  isUnavailable,
  isWaitingForKey,
  sqlState,
} from '../../../subgraphs/_kernel/sql-errors.ts'

const coded = (code: string, more: object = {}) =>
  Object.assign(new Error('It failed.'), { code, ...more })
const byPrisma = (code: string, cause: object) =>
  coded(code, { meta: { driverAdapterError: Object.assign(new Error('x'), { cause }) } })

test.each([
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPROTO',
  'EAI_AGAIN',
  'P1001',
  'P1017',
  '57P01',
])('%s means the database is away', (code) => expect(isUnavailable(coded(code))).toBe(true))

test("Prisma's errors are looked through to the driver's", () => {
  const shutdown = byPrisma('P2039', { originalCode: '57P01', kind: 'postgres' })
  expect(sqlState(shutdown)).toBe('57P01')
  expect(isUnavailable(shutdown)).toBe(true)
  expect(sqlState(byPrisma('P2034', { kind: 'TransactionWriteConflict' }))).toBe('40001')
  expect(isUnavailable(byPrisma('P1017', { kind: 'ConnectionClosed' }))).toBe(true)
})

test('what GraphQL wraps is looked through, and what the driver says without a code', () => {
  const originalError = coded('EHOSTUNREACH')
  expect(isUnavailable(new GraphQLError('It failed.', { originalError }))).toBe(true)
  const closed = 'Client has encountered a connection error and is not queryable'
  expect(isUnavailable(new Error(closed))).toBe(true)
})

test('what the database refuses is no loss of it, and neither is an error of ours', () => {
  for (const code of ['23505', 'BG001', 'P0001', '55P03', 'P2002']) {
    expect(isUnavailable(coded(code))).toBe(false)
  }
  expect(sqlState(coded('BG001'))).toBe('BG001')
  expect(sqlState(coded('EPIPE'))).toBeUndefined()
  expect(isUnavailable(new TypeError('x is not a function'))).toBe(false)
  expect(isUnavailable(undefined)).toBe(false)
})

test('of lock timeouts, only one on the row of a key is a wait for the key', () => {
  const timeout = (where?: string) => Object.assign(coded('55P03'), { where })
  const key = 'while inserting index tuple (0,1) in relation "idempotency"'
  const balance = 'while locking tuple (0,1) in relation "balance"'
  expect([timeout(key), timeout(balance), timeout()].map(isWaitingForKey)).toEqual([
    true,
    false,
    false,
  ])
  expect(isWaitingForKey(Object.assign(coded('40001'), { where: key }))).toBe(false)
  expect([timeout(balance), coded('40001')].map(isLockTimeout)).toEqual([true, false])
})
