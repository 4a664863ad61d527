/**
 * A bank posts, closes, back-dates, reopens and closes again. Nothing is lost, no accounting date
 * changes, and the general ledger agrees with the ledger after every step.
 */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { armFaultPoint } from '../../../kernel/environment/fault-point.ts'
import {
  aLedgerBank,
  closePeriod,
  closingOf,
  findingsOf,
  olga,
  paul,
  reopenPeriod,
  type LedgerBank,
} from './kit.ts'

let bank: LedgerBank
beforeAll(async () => {
  bank = await aLedgerBank('2026-03-10T09:00:00.000Z')
})
afterAll(() => bank.drop())
afterEach(() => {
  armFaultPoint(null)
  vi.restoreAllMocks()
})

const accountingDateOf = async (postingInstructionId: string) => {
  await bank.date()
  const [row] = await bank.rows(
    'select accounting_date::text as day from general_ledger.dated_posting where posting_instruction_id = $1',
    [postingInstructionId],
  )
  return row?.['day']
}
const income = (amount: string, valueDate: string) =>
  bank.post({ debit: 'nostro', credit: 'fee-income', amount, valueDate })
const stored = (period: string) =>
  bank.rows(
    `select closing, account_number as account, closing_minor::int as minor
     from general_ledger.closing_balance where accounting_period_id = $1 order by 1, 2`,
    [period],
  )

test('a posting is shown on its value date while the period is open', async () => {
  const february = await income('100.00', '2026-02-20')
  const march = await income('7.00', '2026-03-05')
  expect(await accountingDateOf(february)).toBe('2026-02-20')
  expect(await accountingDateOf(march)).toBe('2026-03-05')
  expect(await closingOf(bank, '2026-02')).toEqual({ '1110': '100.00', '4200': '-100.00' })
  expect(await closingOf(bank, '2026-03')).toEqual({ '1110': '107.00', '4200': '-107.00' })
  expect(await findingsOf(bank)).toEqual([])
})

test('a period is closed when it has ended', async () => {
  await expect(closePeriod(bank, '2026-03')).rejects.toMatchObject({ code: 'PERIOD_NOT_ENDED' })
  await expect(closePeriod(bank, '2026-3')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
})

test('a closing that is killed leaves the period open, and is repeated', async () => {
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw new Error('The process was killed.')
  })
  await income('1.00', '2026-02-21')
  for (const name of ['general-ledger.dated', 'general-ledger.closing']) {
    armFaultPoint({ name, hit: 1 })
    await expect(closePeriod(bank, '2026-02')).rejects.toMatchObject({ code: 'INTERNAL' })
    expect(kill).toHaveBeenCalledWith(process.pid, 'SIGKILL')
    armFaultPoint(null)
    expect(await stored('2026-02')).toEqual([])
  }
  expect(await closePeriod(bank, '2026-02')).toEqual({
    state: 'CLOSED',
    closings: 1,
    closedBy: 'olga',
  })
  expect(await stored('2026-02')).toEqual([
    { closing: 1, account: '1110', minor: 10100 },
    { closing: 1, account: '4200', minor: -10100 },
  ])
  await expect(closePeriod(bank, '2026-02')).rejects.toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
  })
  const { accountingPeriods } = await bank.act(
    '{ accountingPeriods(fiscalYear: 2026) { accountingPeriodId lastDay state closings } }',
  )
  expect(accountingPeriods.slice(0, 3)).toEqual([
    { accountingPeriodId: '2026-01', lastDay: '2026-01-31', state: 'CLOSED', closings: 0 },
    { accountingPeriodId: '2026-02', lastDay: '2026-02-28', state: 'CLOSED', closings: 1 },
    { accountingPeriodId: '2026-03', lastDay: '2026-03-31', state: 'OPEN', closings: 0 },
  ])
})

test('a back-dated posting goes to the open period and keeps its value date', async () => {
  const id = await income('20.00', '2026-02-25')
  expect(await accountingDateOf(id)).toBe('2026-03-10')
  const { posting } = await bank.act(
    `{ posting: generalLedgerEntries(accountingPeriodId: "2026-03", accountNumber: "4200") {
      nodes { accountingDate valueDate amount side postingInstruction { postingInstructionId status } } } }`,
  )
  expect(posting.nodes.at(-1)).toEqual({
    accountingDate: '2026-03-10',
    valueDate: '2026-02-25',
    amount: '20.00',
    side: 'CREDIT',
    postingInstruction: { postingInstructionId: id, status: 'ACCEPTED' },
  })
  expect(await closingOf(bank, '2026-02')).toEqual({ '1110': '101.00', '4200': '-101.00' })
  expect(await findingsOf(bank)).toEqual([])
})

test('two people reopen a period; its dates and figures stay as they were', async () => {
  const reopen = 'mutation { reopenAccountingPeriod(accountingPeriodId: "2026-02") { state } }'
  await expect(bank.act(reopen, {}, paul)).rejects.toMatchObject({ code: 'REOPENING_NOT_PROPOSED' })
  await bank.act(`mutation { proposeAccountingPeriodReopening(accountingPeriodId: "2026-02",
    reason: "A late invoice") { reopeningProposedBy } }`)
  await expect(bank.act(reopen, {}, olga)).rejects.toMatchObject({ code: 'SEGREGATION_OF_DUTIES' })
  expect((await bank.act(reopen, {}, paul)).reopenAccountingPeriod).toEqual({ state: 'OPEN' })
  expect(await closingOf(bank, '2026-02')).toEqual({ '1110': '101.00', '4200': '-101.00' })
  const late = await income('3.00', '2026-02-26')
  expect(await accountingDateOf(late)).toBe('2026-02-26')
  await closePeriod(bank, '2026-02')
  expect(await stored('2026-02')).toEqual([
    { closing: 1, account: '1110', minor: 10100 },
    { closing: 1, account: '4200', minor: -10100 },
    { closing: 2, account: '1110', minor: 10400 },
    { closing: 2, account: '4200', minor: -10400 },
  ])
  expect(await closingOf(bank, '2026-03')).toEqual({ '1110': '131.00', '4200': '-131.00' })
  expect(await findingsOf(bank)).toEqual([])
})

test('only the last closed period can be reopened', async () => {
  bank.clock.set('2026-05-10T09:00:00.000Z')
  await expect(closePeriod(bank, '2026-04')).rejects.toMatchObject({
    code: 'EARLIER_PERIOD_NOT_CLOSED',
    members: { resourceId: '2026-03' },
  })
  bank.clock.set('2026-04-10T09:00:00.000Z')
  await closePeriod(bank, '2026-03')
  await expect(reopenPeriod(bank, '2026-02')).rejects.toMatchObject({
    code: 'LATER_PERIOD_CLOSED',
    members: { resourceId: '2026-03' },
  })
  expect(await reopenPeriod(bank, '2026-03')).toEqual({ state: 'OPEN' })
})

test('a soft closed period takes journal entries and no other postings', async () => {
  await bank.act('mutation { softCloseAccountingPeriod(accountingPeriodId: "2026-03") { state } }')
  expect(await accountingDateOf(await income('5.00', '2026-03-31'))).toBe('2026-04-10')
  const entry = `mutation { proposeJournalEntry(input: { journalEntryId: "jnl_soft",
    accountingDate: "2026-03-31", description: "Accrued audit fees", lines: [
      { accountNumber: "5900", side: DEBIT, amount: { amount: "40.00", currency: "EUR" } }
      { accountNumber: "2900", side: CREDIT, amount: { amount: "40.00", currency: "EUR" } }] }) { state } }`
  await bank.act(entry)
  await bank.act('mutation { postJournalEntry(journalEntryId: "jnl_soft") { state } }', {}, paul)
  await bank.date()
  expect(await closingOf(bank, '2026-03')).toEqual({
    '1110': '131.00',
    '2900': '-40.00',
    '4200': '-131.00',
    '5900': '40.00',
  })
  await closePeriod(bank, '2026-03')
  expect(await findingsOf(bank)).toEqual([])
})

test('a closing and a posting at the same time agree on the period', async () => {
  bank.clock.set('2026-05-02T09:00:00.000Z')
  const other = bank.another()
  const postings = Array.from({ length: 12 }, (_, index) =>
    income(`1.0${index % 10}`, '2026-04-30'),
  )
  const [closed] = await Promise.allSettled([
    closePeriod(bank, '2026-04'),
    bank.act(
      'mutation { closeAccountingPeriod(accountingPeriodId: "2026-04") { state } }',
      {},
      paul,
      other.bank,
    ),
    ...postings,
  ])
  const [{ state }] = (await bank.rows(
    `select state from general_ledger.accounting_period where accounting_period_id = '2026-04'`,
  )) as [{ state: string }]
  expect([state, closed.status === 'fulfilled' || closed.reason.code]).toEqual([
    'closed',
    expect.toBeOneOf([true, 'INVALID_STATE_TRANSITION']),
  ])
  await bank.date()
  expect(await findingsOf(bank)).toEqual([])
})

test('a tampered total of a closed period is found', async () => {
  await bank.rows(`update general_ledger.daily_total set debit_minor = debit_minor + 1
    where accounting_date = '2026-02-20' and ledger_code = 'nostro'`)
  const kinds = (await findingsOf(bank)).map((finding: any) => finding.kind)
  expect(new Set(kinds)).toEqual(new Set(['DIFFERENCE', 'CLOSED_PERIOD', undefined]))
})
