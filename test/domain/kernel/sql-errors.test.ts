/** Which errors mean that the database is unavailable, whatever layer reports them. */
import { GraphQLError } from 'graphql'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import {
  isLockTimeout,
  isUnavailable,
  isWaitingForKey,
  sqlState,
} from '../../../kernel/database/sql-errors.ts'
import { problemOf } from '../../../kernel/graph/errors.ts'

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
])('%s means that the database is unavailable', (code) =>
  expect(isUnavailable(coded(code))).toBe(true),
)

test('unwraps an error of Prisma to the error of the driver', () => {
  const shutdown = byPrisma('P2039', { originalCode: '57P01', kind: 'postgres' })
  expect(sqlState(shutdown)).toBe('57P01')
  expect(isUnavailable(shutdown)).toBe(true)
  expect(sqlState(byPrisma('P2034', { kind: 'TransactionWriteConflict' }))).toBe('40001')
  expect(isUnavailable(byPrisma('P1017', { kind: 'ConnectionClosed' }))).toBe(true)
})

test('unwraps GraphQL errors and recognizes driver errors without a code', () => {
  const originalError = coded('EHOSTUNREACH')
  expect(isUnavailable(new GraphQLError('It failed.', { originalError }))).toBe(true)
  const closed = 'Client has encountered a connection error and is not queryable'
  expect(isUnavailable(new Error(closed))).toBe(true)
})

test('errors that the database raises and errors in code do not mean that it is unavailable', () => {
  for (const code of ['23505', 'BG001', 'P0001', '55P03', 'P2002']) {
    expect(isUnavailable(coded(code))).toBe(false)
  }
  expect(sqlState(coded('BG001'))).toBe('BG001')
  expect(sqlState(coded('EPIPE'))).toBeUndefined()
  expect(isUnavailable(new TypeError('x is not a function'))).toBe(false)
  expect(isUnavailable(undefined)).toBe(false)
})

test('only a lock timeout on the row of an idempotency key counts as waiting for the key', () => {
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

test.each(['40001', '40P01'])(
  'a query that the database cancels with %s can be repeated',
  (code) => {
    const { code: problem, status } = problemOf(coded(code), pino({ level: 'silent' }))
    expect([problem, status]).toEqual(['DEPENDENCY_UNAVAILABLE', 503])
  },
)
