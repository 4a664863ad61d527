/** What accountants work on, each time something new. */
import type { ABankWithAModel } from '../subgraphs/assist/kit.ts'
import { unique } from '../contract/kit.ts'
import { prepared, type Act, type Prepared } from './persons-kit.ts'

let serial = 0
/** A number of an account that does not exist. */
const newNumber = () => `59${String(++serial).padStart(4, '0')}`
/** A month in which nothing is booked, after the closed ones. */
const newMonth = () => {
  const months = serial++
  return `${1960 + Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}`
}

async function proposedEntry(act: Act, accountingDate: string): Promise<string> {
  const id = unique('jnl')
  const line = (accountNumber: string, side: string) =>
    `{ accountNumber: "${accountNumber}", side: ${side}, amount: { amount: "1.00", currency: "EUR" } }`
  await act(`mutation { proposeJournalEntry(input: { journalEntryId: "${id}",
    accountingDate: "${accountingDate}", description: "D",
    lines: [${line('2900', 'DEBIT')} ${line('4900', 'CREDIT')}] }) { state } }`)
  return id
}

/** The first month of a year that is not closed. */
async function nextPeriod(act: Act, fiscalYear: number): Promise<string> {
  const { accountingPeriods } = await act(
    `{ accountingPeriods(fiscalYear: ${fiscalYear}) { accountingPeriodId state } }`,
  )
  return accountingPeriods.find(({ state }: { state: string }) => state !== 'CLOSED')
    .accountingPeriodId
}

/** Books income in the last month of 1950, and closes the months before. */
async function aYearToClose(bank: ABankWithAModel, act: Act): Promise<string> {
  const id = await proposedEntry(act, '1950-12-31')
  const token = bank.token({ subject: 'ruth' })
  await bank.act(`mutation { postJournalEntry(journalEntryId: "${id}") { state } }`, {}, { token })
  for (;;) {
    const period = await nextPeriod(act, 1950)
    if (period === '1950-12') return '(fiscalYear: 1950) { kind }'
    await act(`mutation { closeAccountingPeriod(accountingPeriodId: "${period}") { state } }`)
  }
}

export const accountingMutations = (bank: ABankWithAModel): Prepared[] => [
  prepared('createGeneralLedgerAccount', () =>
    Promise.resolve(
      `(input: { accountNumber: "${newNumber()}", name: "N", type: EXPENSE }) { name }`,
    ),
  ),
  prepared('changeGeneralLedgerAccount', () =>
    Promise.resolve(`(input: { accountNumber: "5900", name: "${unique('n')}" }) { name }`),
  ),
  prepared('softCloseAccountingPeriod', () =>
    Promise.resolve(`(accountingPeriodId: "${newMonth()}") { state }`),
  ),
  prepared('closeAccountingPeriod', async (act) => {
    return `(accountingPeriodId: "${await nextPeriod(act, 1950)}") { state }`
  }),
  prepared('revalueCurrencies', () =>
    Promise.resolve(`(accountingPeriodId: "${newMonth()}") { gain }`),
  ),
  prepared('closeFiscalYear', (act) => aYearToClose(bank, act)),
]

export function accountingDecisions(): Prepared[] {
  const rule = async (act: Act) => {
    const id = unique('map')
    await act(`mutation { proposeMappingRule(input: { mappingRuleId: "${id}", ledgerCode: "suspense",
      accountNumber: "2900", validFrom: "${newMonth()}-01", reason: "R" }) { state } }`)
    return `(mappingRuleId: "${id}") { state }`
  }
  const entry = async (act: Act) =>
    `(journalEntryId: "${await proposedEntry(act, '1999-12-31')}") { state }`
  return [
    prepared('approveMappingRule', rule),
    prepared('rejectMappingRule', rule),
    prepared('postJournalEntry', entry),
    prepared('rejectJournalEntry', entry),
    prepared('reopenAccountingPeriod', async (act) => {
      const period = newMonth()
      await act(`mutation { softCloseAccountingPeriod(accountingPeriodId: "${period}") { state } }`)
      await act(`mutation { proposeAccountingPeriodReopening(accountingPeriodId: "${period}",
        reason: "R") { state } }`)
      return `(accountingPeriodId: "${period}") { state }`
    }),
  ]
}
