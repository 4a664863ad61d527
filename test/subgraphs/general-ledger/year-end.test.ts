/** The result of a year is the sum of its entries to the cent, and is read without them. */
import 'reflect-metadata'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { readResultBalances } from '../../../subgraphs/general-ledger/store/journal-entry.ts'
import { random } from '../../kit/random.ts'
import { inVain } from '../ledger/kit.ts'
import { aLedgerBank, closePeriod, findingsOf, paul, reopenPeriod, type LedgerBank } from './kit.ts'

let bank: LedgerBank
beforeAll(async () => {
  bank = await aLedgerBank('2026-12-14T09:00:00.000Z')
})
afterAll(() => bank.drop())

const draw = random(20_261)
const oneOf = <Each>(all: readonly Each[]): Each => all[Math.floor(draw() * all.length)]!
const anAmount = () => `${1 + Math.floor(draw() * 900)}.${10 + Math.floor(draw() * 89)}`

const summedSql = `select a.account_id as "ledgerAccountId", a.code as "ledgerCode", e.currency,
    sum(case e.side when 'debit' then e.amount else -e.amount end)::text as balance
  from general_ledger.dated_posting d join ledger.entry e using (posting_instruction_id)
  join ledger.account a using (account_id)
  where a.type in ('income', 'expense') and e.phase = 'committed' and d.accounting_date <= $1
  group by 1, 2, 3 order by 1, 3`

/** Adds up all entries until a day. */
async function summed(day: string) {
  const rows = await bank.rows(summedSql, [day])
  return rows.map(({ balance, ...row }) => ({ ...row, balanceMinor: BigInt(balance) }))
}

const read = (day: string) => readResultBalances(bankContext(bank.bank), day)

/** Expects the result at the end of some days to be the sum of the entries, and returns the last one. */
async function expectSummed(...days: string[]) {
  await bank.date()
  for (const day of days) expect(await read(day), day).toEqual(await summed(day))
  return read(days.at(-1)!)
}

async function aMovement(valueDate: string) {
  const result = oneOf(['fee-income', 'interest-income', 'interest-expense', 'loan-losses'])
  const other = oneOf(['nostro', 'suspense', 'capital'])
  const [debit, credit] = draw() < 0.5 ? [result, other] : [other, result]
  await bank.post({
    debit: debit!,
    credit: credit!,
    amount: anAmount(),
    valueDate,
    currency: oneOf(['EUR', 'EUR', 'USD']),
  })
}

/** An entry of accountants, on own ledger accounts of the general ledger. */
async function anEntry(id: string, accountingDate: string) {
  const amount = `{ amount: "${anAmount()}", currency: "${oneOf(['EUR', 'USD'])}" }`
  await bank.act(`mutation { proposeJournalEntry(input: { journalEntryId: "${id}",
    accountingDate: "${accountingDate}", description: "Rent", lines: [
      { accountNumber: "5900", side: DEBIT, amount: ${amount} }
      { accountNumber: "2900", side: CREDIT, amount: ${amount} }] }) { state } }`)
  await bank.act(
    `mutation { postJournalEntry(journalEntryId: "${id}") { postingInstructionId } }`,
    {},
    paul,
  )
}

const closeYear = (year: number) =>
  bank.act(`mutation { closeFiscalYear(fiscalYear: ${year}) { kind } }`)
const isZero = ({ balanceMinor }: { balanceMinor: bigint }) => balanceMinor === 0n

test('the result of each year is the sum of all entries until its last day', async () => {
  for (let step = 0; step < 60; step++) {
    const day = new Date(Date.UTC(2026, 11, 14) - Math.floor(draw() * 30) * 86_400_000)
    await aMovement(day.toISOString().slice(0, 10))
  }
  await anEntry('jnl_rent-1', '2026-10-31')
  await anEntry('jnl_rent-2', '2026-12-01')
  await expectSummed('2026-09-01', '2026-10-31', '2026-11-21', '2026-12-31')

  bank.clock.set('2027-01-15T09:00:00.000Z')
  await closePeriod(bank, '2026-11')
  for (let step = 0; step < 10; step++) await aMovement(oneOf(['2026-12-31', '2027-01-04']))
  const before = await expectSummed('2026-12-31')
  expect(before.length).toBeGreaterThan(6)
  expect(before.some(isZero)).toBe(false)
  await closeYear(2026)
  expect((await expectSummed('2026-12-31')).every(isZero)).toBe(true)

  // A closed year that is reopened and adjusted, and the year after.
  await closePeriod(bank, '2026-12')
  await reopenPeriod(bank, '2026-12')
  await anEntry('jnl_late', '2026-12-31')
  await aMovement('2026-12-31')
  expect((await expectSummed('2026-12-31')).some(isZero)).toBe(false)
  await closeYear(2026)
  await closePeriod(bank, '2026-12')
  for (let step = 0; step < 10; step++) await aMovement('2027-01-10')
  await anEntry('jnl_next', '2027-01-11')
  const next = await expectSummed('2026-12-31', '2027-01-05', '2027-01-31')
  expect(next.every(isZero)).toBe(false)
  expect(await findingsOf(bank)).toEqual([])
})

test('the result of a year is read without an entry', async () => {
  const statistics = `select seq_scan + idx_scan as scans from pg_stat_xact_user_tables
    where relid = 'ledger.entry'::regclass`
  const scans = async (client: pg.PoolClient): Promise<number> =>
    Number((await client.query(statistics)).rows[0].scans)
  await inVain(bank, async (client) => {
    const context = bankContext({ ...bank.bank, pool: client as never })
    const before = await scans(client)
    expect(await readResultBalances(context, '2027-01-31')).not.toEqual([])
    expect(await scans(client)).toBe(before)
    await client.query(summedSql, ['2027-01-31'])
    expect(await scans(client)).toBeGreaterThan(before)
  })
})
