import pino from 'pino'
import { describe, expect, test } from 'vitest'
import { attemptOf, streamError, withRetries } from '../../../gateway/stream-retries.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { Problem, type ProblemCode } from '../../../kernel/domain/problem.ts'

const bank = { log: pino({ level: 'silent' }), events: { isOpen: true } } as unknown as Bank
const timeout = { message: 'Too late.', extensions: { code: 'TIMEOUT', retryable: true } }
const forbidden = { message: 'No.', extensions: { code: 'INSUFFICIENT_SCOPE', retryable: false } }
const result = (data: object | null, ...errors: object[]) =>
  ({ data, ...(errors.length > 0 && { errors }) }) as never

describe('retries of an event whose query fails', () => {
  test.each<[string, never, ProblemCode | undefined, boolean]>([
    ['an event', result({ e: {} }), undefined, true],
    [
      'a field the caller may not read',
      result({ e: { subject: null } }, forbidden),
      undefined,
      true,
    ],
    ['a field that timed out', result({ e: { subject: null } }, timeout), 'TIMEOUT', true],
    ['an event that timed out', result({ e: null }, timeout), 'TIMEOUT', false],
    ['an event that is not found', result({ e: null }), 'EVENT_NOT_FOUND', false],
    ['no data', result(null, timeout), 'TIMEOUT', false],
  ])('evaluates the result: %s', (_what, answer, failure, hasValue) => {
    const attempt = attemptOf(answer)
    expect(attempt.failure?.code).toBe(failure)
    expect(attempt.value !== undefined).toBe(hasValue)
  })

  test('a temporary failure is retried until the event is available', async () => {
    let attempts = 0
    const value = await withRetries(bank, async () => {
      if (attempts++ < 2) throw new Problem('DEPENDENCY_UNAVAILABLE')
      return { value: 'event' }
    })
    expect([value, attempts]).toEqual(['event', 3])
  })

  test('a permanent failure ends after five attempts, with the incomplete value if there is one', async () => {
    let attempts = 0
    const failure = new Problem('TIMEOUT')
    const run = (value?: string) =>
      withRetries(bank, async () => {
        attempts++
        return { value, failure }
      })
    const [refused, incomplete] = await Promise.allSettled([run(), run('incomplete')])
    expect(refused).toMatchObject({ reason: failure })
    expect(incomplete).toMatchObject({ value: 'incomplete' })
    expect(attempts).toBe(10)
  })
})

test('the error that ends a stream is retryable, explains how to resume and hides internals', () => {
  const error = streamError(bank, new Error('connect ECONNREFUSED 10.0.0.1'))
  expect(error.message).toContain('`after`')
  expect(error.message).not.toContain('ECONNREFUSED')
  expect(error.extensions).toMatchObject({ code: 'INTERNAL', retryable: true })
})
