/** Downloads of the journal read the database for as long as the client takes, so few run at once. */
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { aLedgerBank, type LedgerBank } from './kit.ts'
import { openJournalFile } from '../../../subgraphs/general-ledger/commands/journal-file.ts'
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
  const urlFor = async (subject: string) => {
    const { journalFile } = await bank.act(
      '{ journalFile(accountingPeriodId: "2026-03", format: NDJSON) { manifestUrl } }',
      {},
      aCaller({ subject }),
    )
    return address + journalFile.manifestUrl.slice(new URL(journalFile.manifestUrl).origin.length)
  }
  const [url, another] = [await urlFor('nora'), await urlFor('aron')]
  const third = await urlFor('carl')
  const leaving = new AbortController()
  const left = fetch(url, { signal: leaving.signal }).catch(() => 'left')
  const others = [fetch(url)]
  await eventually(() => reads === 2)
  const ofOne = await fetch(url)
  expect(ofOne.status).toBe(429)
  expect(((await ofOne.json()) as any).detail).toContain('2 open connections')
  others.push(fetch(another), fetch(another))
  await eventually(() => reads === 4)
  const refused = await fetch(third)
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

test('a URL ends with the session of the person who requested it, also in another process', async () => {
  const urlFor = async (sessionId: string) => {
    const nora = { ...aCaller({ subject: 'nora' }), sessionId }
    const { journalFile } = await bank.act(
      '{ journalFile(accountingPeriodId: "2026-03", format: CSV) { url } }',
      {},
      nora,
    )
    return new URL(journalFile.url).searchParams.get('token')
  }
  const [ended, running] = [await urlFor('ended'), await urlFor('running')]
  expect(openJournalFile(bank.bank, ended).accountingPeriodId).toBe('2026-03')
  const other = bank.another().bank
  await bank.bank.revocations.add('session', 'ended')
  await other.revocations.refresh()
  for (const each of [bank.bank, other]) {
    expect(() => openJournalFile(each, ended)).toThrowError(
      expect.objectContaining({ code: 'JOURNAL_FILE_EXPIRED' }),
    )
    expect(openJournalFile(each, running).accountingPeriodId).toBe('2026-03')
  }
})
