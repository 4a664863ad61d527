/** The journal of a period as files: what they contain, who gets them, and that they do not fill memory. */
import { createHash } from 'node:crypto'
import fastify from 'fastify'
import { parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aLedgerBank, paul, type LedgerBank } from './kit.ts'
import {
  openJournalFile,
  readJournalManifest,
  streamJournal,
} from '../../../subgraphs/general-ledger/commands/journal-file.ts'
import {
  journalFileColumns,
  JournalTotals,
} from '../../../subgraphs/general-ledger/domain/journal-file.ts'
import { serveJournalFiles } from '../../../host/journal-files.ts'
import { addHttpCaching } from '../../../gateway/http-caching.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import { aCaller } from '../../kit/subgraph.ts'

let bank: LedgerBank
beforeAll(async () => {
  bank = await aLedgerBank('2026-03-20T09:00:00.000Z')
  const income = { debit: 'nostro', credit: 'fee-income', amount: '100.50' }
  for (const day of ['2026-02-27', '2026-03-02', '2026-03-01', '2026-03-02']) {
    await bank.post({ ...income, valueDate: day })
  }
  await bank.post({ ...income, currency: 'JPY', amount: '700', valueDate: '2026-03-03' })
  await bank.date()
})
afterAll(() => bank.drop())

const formats = ['CSV', 'NDJSON', 'PARQUET'] as const
type Format = (typeof formats)[number]

const request = async (format: Format, caller = paul) =>
  (
    await bank.act(
      `{ journalFile(accountingPeriodId: "2026-03", format: ${format}) { fileName mediaType url
        manifestUrl expiresAt throughPosition totals { currency debit credit } } }`,
      {},
      caller,
    )
  ).journalFile

const open = (url: string) => openJournalFile(bank.bank, new URL(url).searchParams.get('token'))

async function download(url: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of streamJournal(bank.bank, open(url))) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function rowsOf(format: Format, file: Buffer): Promise<any[]> {
  if (format === 'PARQUET') return parquetReadObjects({ file: new Uint8Array(file).buffer })
  const lines = file.toString().trimEnd().split(/\r?\n/)
  if (format === 'NDJSON') return lines.map((line) => JSON.parse(line))
  const [header, ...rows] = lines.map((line) => line.split(','))
  return rows.map((row) => Object.fromEntries(header!.map((name, index) => [name, row[index]])))
}

test.each(formats)('a %s file without entries is a valid file', async (format) => {
  const { journalFile } = await bank.act(
    `{ journalFile(accountingPeriodId: "2026-06", format: ${format}) { url totals { currency } } }`,
  )
  const file = await download(journalFile.url)
  expect(journalFile.totals).toEqual([])
  if (format === 'CSV') expect(file.toString()).toBe(`${journalFileColumns.join(',')}\r\n`)
  else if (format === 'NDJSON') expect(file).toHaveLength(0)
  else expect(await rowsOf(format, file)).toEqual([])
})

const trialBalance = async () =>
  (
    await bank.act(`{ generalLedgerTrialBalances(accountingPeriodId: "2026-03") { currency debit
      credit lines { accountNumber debit credit } } }`)
  ).generalLedgerTrialBalances

const minorOf = (amount: string, currency: string) =>
  BigInt(currency === 'JPY' ? amount : amount.replace('.', ''))

test.each(formats)('the sum of a %s file is the trial balance', async (format) => {
  const file = await request(format)
  const rows = await rowsOf(format, await download(file.url))
  expect(rows).toHaveLength(8)
  const balances = await trialBalance()
  for (const { currency, lines } of balances) {
    for (const { accountNumber, debit, credit } of lines) {
      const moved = rows
        .filter((row) => row.account_number === accountNumber && row.currency === currency)
        .map((row) => BigInt(row.amount_minor))
      const sum = (some: bigint[]) => some.reduce((total, each) => total + each, 0n)
      expect(sum(moved.filter((minor) => minor > 0n))).toBe(minorOf(debit, currency))
      expect(-sum(moved.filter((minor) => minor < 0n))).toBe(minorOf(credit, currency))
    }
  }
  const totals = balances.map(({ currency, debit, credit }: any) => ({ currency, debit, credit }))
  expect(file.totals).toEqual(totals)
  expect(totals.map(({ currency }: any) => currency)).toEqual(['EUR', 'JPY'])
})

test('the formats have the same rows, with the IDs of what is behind them', async () => {
  const [csv, json, parquet] = await Promise.all(
    formats.map(async (format) => rowsOf(format, await download((await request(format)).url))),
  )
  expect(json).toEqual(csv)
  const texts = parquet!.map((row) => ({
    ...row,
    booked_at: row.booked_at.toISOString(),
    entry_number: String(row.entry_number),
    amount_minor: String(row.amount_minor),
    event_position: String(row.event_position),
  }))
  expect(texts).toEqual(csv)
  expect(csv!.map((row) => row.accounting_date)).toEqual(
    ['01', '01', '02', '02', '02', '02', '03', '03'].map((day) => `2026-03-${day}`),
  )
  for (const row of csv!) {
    expect(row.ledger_account_id).toMatch(/nostro|fee-income/)
    const { rows } = await bank.bank.pool.query(
      'select subject from kernel.event where position = $1',
      [row.event_position],
    )
    expect(rows[0].subject).toBe(`posting-instruction/${row.posting_instruction_id}`)
  }
})

test.each(formats)(
  'the manifest has the hash of the %s file, and later postings are in neither',
  async (format) => {
    const file = await request(format)
    const before = await download(file.url)
    await bank.post({
      debit: 'nostro',
      credit: 'fee-income',
      amount: '1.00',
      valueDate: '2026-02-25',
    })
    const late = { debit: 'nostro', credit: 'fee-income', amount: '1.00', valueDate: '2026-03-05' }
    await bank.post(late)
    await bank.date()
    expect((await download(file.url)).equals(before)).toBe(true)
    const rows = await rowsOf(format, before)
    expect(open(file.manifestUrl).isManifest).toBe(true)
    expect(await readJournalManifest(bank.bank, open(file.manifestUrl))).toEqual({
      accountingPeriodId: '2026-03',
      fileName: file.fileName,
      mediaType: file.mediaType,
      throughPosition: file.throughPosition,
      rowCount: rows.length,
      sizeBytes: before.length,
      sha256: createHash('sha256').update(before).digest('hex'),
      totals: file.totals,
    })
    expect((await rowsOf(format, await download((await request(format)).url))).length).toBe(
      rows.length + 2,
    )
  },
)

test('a URL expires, cannot be changed, and is only for accountants of the bank', async () => {
  const { url, expiresAt } = await request('CSV')
  expect(() => openJournalFile(bank.bank, 'k1.AAAA')).toThrowError(
    expect.objectContaining({ code: 'JOURNAL_FILE_NOT_FOUND' }),
  )
  expect(() => open(url.replace(/.{4}$/, 'AAAA'))).toThrowError(
    expect.objectContaining({ code: 'JOURNAL_FILE_NOT_FOUND' }),
  )
  bank.clock.set(expiresAt)
  expect(() => open(url)).toThrowError(expect.objectContaining({ code: 'JOURNAL_FILE_EXPIRED' }))
  bank.clock.set('2026-03-20T09:00:00.000Z')
  const other = aCaller({ subject: 'paul', scopes: ['accounts:read'] })
  await expect(request('CSV', other)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' })
  await expect(request('CSV', aCaller({ partyId: 'pty_ada' }))).rejects.toMatchObject({
    code: 'NOT_FOR_DELEGATED_USERS',
  })
})

test('a month of 100,000 entries is read page by page, as the client takes it', async () => {
  const { pool } = bank.bank
  const { rows: accounts } = await pool.query(`select account_id, code from ledger.account
    where code in ('nostro', 'fee-income') and currency = 'EUR' order by code`)
  await pool.query(
    `insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal,
       phase, side, amount, currency, booked_at, value_date)
     select case o when 0 then $1 else $2 end, 'default', 1000000 + n, 'pin_bulk_' || n, o,
       'committed', case o when 0 then 'credit' else 'debit' end, n, 'EUR',
       '2026-03-20T09:00:00Z', '2026-03-15'
     from generate_series(1, 50000) n, generate_series(0, 1) o`,
    accounts.map(({ account_id: id }) => id),
  )
  await pool.query(`insert into general_ledger.dated_posting
    select 'pin_bulk_' || n, '2026-03-15', 100000 + n, false from generate_series(1, 50000) n`)
  await pool.query('update general_ledger.book set position = 200000')
  await pool.query(`update general_ledger.daily_total set debit_minor = debit_minor +
      case ledger_code when 'nostro' then 1250025000 else 0 end,
      credit_minor = credit_minor + case ledger_code when 'nostro' then 0 else 1250025000 end
    where accounting_date = '2026-03-01' and currency = 'EUR'`)
  await pool.query('analyze ledger.entry, general_ledger.dated_posting')

  for (const format of formats) {
    let pages = 0
    const query = pool.query.bind(pool)
    const counted = new Proxy(pool, {
      get: (target, name) =>
        name === 'query'
          ? (...args: any[]) => {
              if (String(args[0]?.text).includes('from general_ledger.dated_posting')) pages++
              return (query as any)(...args)
            }
          : Reflect.get(target, name, target),
    })
    const file = await request(format)
    const reading = new Proxy(bank.bank, {
      get: (target, name) => (name === 'pool' ? counted : Reflect.get(target, name, target)),
    })
    let chunks = 0
    const totals = new JournalTotals()
    for await (const chunk of streamJournal(reading, open(file.url), totals)) {
      chunks++
      // Nothing is read ahead, and a chunk is a page of 2,000 postings.
      expect(pages).toBeLessThanOrEqual(chunks)
      expect(chunk.length).toBeLessThan(2_500_000)
    }
    // 50,007 postings are 26 pages, and one more is empty.
    expect(pages).toBe(27)
    expect(totals.rowCount).toBeGreaterThan(100_000)
    expect(
      totals.currencies.map(({ currency, debitMinor, creditMinor }) => ({
        currency,
        debit: formatAmount(debitMinor, currency),
        credit: formatAmount(creditMinor, currency),
      })),
    ).toEqual(file.totals)
  }
}, 120_000)

/** Serves the bank with `page` instead of its reads of pages, on connections that may idle for 300 ms. */
async function serving(page: (read: () => unknown) => unknown) {
  const { pool } = bank.bank
  const query = (...args: any[]) => {
    const read = () => (pool.query as any)(...args)
    const isPage = String(args[0]?.text).includes('from general_ledger.dated_posting')
    return isPage ? page(read) : read()
  }
  const slow = new Proxy(pool, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)),
  })
  const reading = new Proxy(bank.bank, {
    get: (target, name) => (name === 'pool' ? slow : Reflect.get(target, name, target)),
  })
  const app = fastify({ connectionTimeout: 300 })
  await addHttpCaching(app)
  serveJournalFiles(app, reading)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    urlOf: (url: string) => address + url.slice(new URL(url).origin.length),
    stop: () => app.close(),
  }
}

test('a manifest may take longer than a connection may idle, and ends when its client leaves', async () => {
  let pages = 0
  const { urlOf, stop } = await serving(async (read) => {
    pages++
    await new Promise((resolve) => setTimeout(resolve, 100))
    return read()
  })
  const { manifestUrl } = await request('NDJSON')
  const manifest = await fetch(urlOf(manifestUrl))
  expect(((await manifest.json()) as any).rowCount).toBeGreaterThan(100_000)
  expect(pages).toBe(27)
  pages = 0
  await expect(fetch(urlOf(manifestUrl), { signal: AbortSignal.timeout(350) })).rejects.toThrow()
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect(pages).toBeGreaterThan(0)
  expect(pages).toBeLessThan(9)
  await stop()
}, 60_000)

test.each(['identity', 'gzip'])(
  'a file that is cut (%s) is no whole response',
  async (coding) => {
    let pages = 0
    const { urlOf, stop } = await serving((read) => {
      if (++pages > 3) throw new Error('the database is gone')
      return read()
    })
    const { url } = await request('CSV')
    // A compressed response may be cut before its first byte: then it has no status, either.
    const response = fetch(urlOf(url), { headers: { 'accept-encoding': coding } })
    const read = response.then((each) => (each.ok ? each.arrayBuffer() : null))
    await expect(read).rejects.toThrow(/terminated|fetch failed/)
    expect(pages).toBe(4)
    await stop()
  },
  30_000,
)
