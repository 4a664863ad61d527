/** The cache of revoked tokens must not lose a revocation to a response that arrives late. */
import type pg from 'pg'
import pino from 'pino'
import { expect, test } from 'vitest'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import { Revocations } from '../../../kernel/authorization/revocations.ts'

test('a query result that is older than a finished refresh does not undo a revocation', async () => {
  const issuedUntil = new Date('2026-03-02T09:00:00Z')
  const revoked = { kind: 'client', value: 'evil', issued_until: issuedUntil }
  const answers: ((rows: object[]) => void)[] = []
  const query = () => new Promise((resolve) => answers.push((rows: object[]) => resolve({ rows })))
  const revocations = new Revocations({ query } as unknown as pg.Pool, pino({ level: 'silent' }))
  const issuedAt = issuedUntil.getTime() - 1000
  const caller = { tokenId: 't', clientId: 'evil', subject: 's', issuedAt } as Caller

  const poll = revocations.refresh()
  const refresh = revocations.refresh()
  answers[1]!([revoked])
  await refresh
  expect(revocations.isRevoked(caller)).toBe(true)
  answers[0]!([])
  await poll
  expect(revocations.isRevoked(caller)).toBe(true)

  const next = revocations.refresh()
  answers[2]!([])
  await next
  expect(revocations.isRevoked(caller)).toBe(false)
})
