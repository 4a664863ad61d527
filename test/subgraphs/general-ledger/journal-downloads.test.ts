/** Downloads of the journal read the database for as long as the client takes, so few run at once. */
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aLedgerBank, type LedgerBank } from './kit.ts'
import { serveJournalFiles } from '../../../host/journal-files.ts'
import { eventually } from '../../kit/eventually.ts'

let bank: LedgerBank
beforeAll(async () => {
  bank = await aLedgerBank('2026-03-20T09:00:00.000Z')
  await bank.post({
    debit: 'nostro',
    credit: 'fee-income',
    amount: '1.00',
    valueDate: '2026-03-02',
  })
  await bank.date()
})
afterAll(() => bank.drop())

test('four journal files are read at once, a fifth is refused, and a place is free when one ends', async () => {
  const { pool } = bank.bank
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  let reads = 0
  const holding = new Proxy(pool, {
    get: (target, name) =>
      name === 'query'
        ? async (...args: unknown[]) => {
            reads++
            await held
            return (pool.query as (...all: unknown[]) => unknown)(...args)
          }
        : Reflect.get(target, name, target),
  })
  const reading = new Proxy(bank.bank, {
    get: (target, name) => (name === 'pool' ? holding : Reflect.get(target, name, target)),
  })
  const app = fastify()
  app.setErrorHandler((error: any, _request, reply) => {
    void reply.code(error.status).send({ code: error.code, detail: error.detail ?? error.message })
  })
  serveJournalFiles(app, reading)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const { journalFile } = await bank.act(
    '{ journalFile(accountingPeriodId: "2026-03", format: NDJSON) { manifestUrl } }',
  )
  const url =
    address + journalFile.manifestUrl.slice(new URL(journalFile.manifestUrl).origin.length)
  const leaving = new AbortController()
  const left = fetch(url, { signal: leaving.signal }).catch(() => 'left')
  const others = [1, 2, 3].map(() => fetch(url))
  await eventually(() => reads === 4)
  const refused = await fetch(url)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({
    code: 'RATE_LIMITED',
    detail: expect.stringContaining('4 open connections'),
  })
  leaving.abort()
  expect(await left).toBe('left')
  const next = eventually(async () => {
    const response = await fetch(url)
    return response.status === 200 && response
  })
  await eventually(() => reads === 5)
  release()
  const statuses = await Promise.all([...others, next])
  expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await fetch(url)).status).toBe(200)
  await app.close()
})
