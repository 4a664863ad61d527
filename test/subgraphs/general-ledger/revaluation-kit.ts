import { expect } from 'vitest'
import { findingsOf, olga, paul, type LedgerBank } from './kit.ts'

const positions = `functionalCurrency gain positions {
  currency position cost rate value bookedBefore difference }`

/** The currency, what was booked before and the difference of each position. */
export const gainsOf = (found: any): string[][] =>
  found.positions.map((line: any) => [line.currency, line.bookedBefore, line.difference])

/** What a test of revaluations does with a bank. */
export const revaluationsOf = (bank: LedgerBank) => ({
  loadRate(pair: string, value: string, asOf: string) {
    const [base, quote] = pair.split('/')
    return bank.act(`mutation { loadExchangeRates(rates: [{ baseCurrency: "${base}",
      quoteCurrency: "${quote}", rate: "${value}", source: "TEST", asOf: "${asOf}" }]) { rate } }`)
  },

  /** The bank receives an amount of one currency for an amount of another. */
  async exchange(received: [string, string], given: [string, string]) {
    const entry = (account: string, side: string, amount: string) =>
      `{ account: "${account}", side: ${side}, amount: "${amount}" }`
    const { createPostingInstruction: posted } = await bank.act(`mutation {
      createPostingInstruction(input: { type: CUSTOM, entries: [
        ${entry(`nostro/${received[1]}`, 'DEBIT', received[0])}
        ${entry(`fx-position/${received[1]}`, 'CREDIT', received[0])}
        ${entry(`fx-position/${given[1]}`, 'DEBIT', given[0])}
        ${entry(`nostro/${given[1]}`, 'CREDIT', given[0])} ] }) { status violations { detail } } }`)
    expect(posted).toEqual({ status: 'ACCEPTED', violations: [] })
  },

  preview: async (period: string) =>
    (
      await bank.act(`{ currencyRevaluationPreview(accountingPeriodId: "${period}") {
        isUpToDate ${positions} } }`)
    ).currencyRevaluationPreview,

  async revalue(period: string, caller = olga, on = bank.bank) {
    const document = `mutation { revalueCurrencies(accountingPeriodId: "${period}") {
      currencyRevaluationId accountingPeriodId journalEntryId revaluedBy ${positions} } }`
    return (await bank.act(document, {}, caller, on)).revalueCurrencies
  },

  /** Two people book an entry of 10 dollars that credits the positions. */
  async bookEntry(id: string, debited: string, accountingDate: string) {
    const usd = '{ amount: "10.00", currency: "USD" }'
    await bank.act(`mutation { proposeJournalEntry(input: { journalEntryId: "${id}",
      accountingDate: "${accountingDate}", description: "A missing fee", lines: [
        { accountNumber: "${debited}", side: DEBIT, amount: ${usd} }
        { accountNumber: "1900", internalAccountCode: "fx-position", side: CREDIT, amount: ${usd} }
      ] }) { state } }`)
    await bank.act(`mutation { postJournalEntry(journalEntryId: "${id}") { state } }`, {}, paul)
  },

  /** The balance sheet of every currency and the trial balance balance. */
  async isInBalance(period: string) {
    await bank.date()
    const { generalLedgerTrialBalances: trial, balanceSheets } = await bank.act(`{
      generalLedgerTrialBalances(accountingPeriodId: "${period}") { currency debit credit }
      balanceSheets { currency assets liabilities equity result unmapped } }`)
    for (const { debit, credit } of trial) expect(debit).toBe(credit)
    for (const { assets, liabilities, equity, result, unmapped } of balanceSheets) {
      expect(Number(unmapped)).toBe(0)
      expect(Number(assets)).toBeCloseTo(Number(liabilities) + Number(equity) + Number(result), 6)
    }
  },

  async findings() {
    await bank.date()
    return (await findingsOf(bank)).map(({ kind, subject, detail }: any) => [kind, subject, detail])
  },
})
