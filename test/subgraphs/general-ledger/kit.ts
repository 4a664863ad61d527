import { parse, print } from 'graphql'
import { problemOfFormatted } from '../../../gateway/errors.ts'
import { createOperation } from '../../../gateway/operation.ts'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import { createContext } from '../../../kernel/environment/context.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { dateCommittedPostings } from '../../../subgraphs/general-ledger/commands/date-postings.ts'
import { generalLedger } from '../../../subgraphs/general-ledger/index.ts'
import { theGraph } from '../../kit/platform.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'

/** Two accountants, and one who approves. */
export const [olga, paul] = [aCaller({ subject: 'olga' }), aCaller({ subject: 'paul' })]

/** A bank with the whole graph behind it and a clock that stands still. Nothing runs beside its requests. */
export interface LedgerBank extends RunningSubgraph {
  /** Runs a document; throws the problem when it is rejected. */
  act(document: string, variables?: object, caller?: Caller, on?: Bank): Promise<any>
  /** Posts an entry between two internal accounts, and returns the ID of the posting. */
  post(request: Movement): Promise<string>
  /** Gives all postings their accounting dates. */
  date(): Promise<void>
}

export interface Movement {
  debit: string
  credit: string
  amount: string
  valueDate: string
  currency?: string
}

export async function aLedgerBank(start: string): Promise<LedgerBank> {
  const [bank, graph] = await Promise.all([aSubgraph(generalLedger, start), theGraph()])
  const act = async (document: string, variables: object = {}, caller = olga, on = bank.bank) => {
    const envelope = {
      authorization: undefined,
      requestId: 'test-request',
      traceparent: undefined,
      idempotencyKey: undefined,
      deadlineMs: Number.MAX_SAFE_INTEGER,
    }
    const parsed = parse(document)
    const { data, errors } = await graph.run(
      createOperation(parsed, print(parsed)),
      variables,
      createContext(on, caller, envelope),
    )
    if (errors) throw problemOfFormatted(errors[0]!)
    return data as any
  }
  bank.bank.queryGraph = (document, variables) =>
    act(print(document), variables as object, bankContext(bank.bank).caller)
  return {
    ...bank,
    act,
    async post({ debit, credit, amount, valueDate, currency = 'EUR' }) {
      const entry = (code: string, side: string) =>
        `{ account: "${code}/${currency}", side: ${side}, amount: "${amount}" }`
      const { createPostingInstruction } = await act(`mutation { createPostingInstruction(input: {
        type: CUSTOM, valueDate: "${valueDate}",
        entries: [${entry(debit, 'DEBIT')}, ${entry(credit, 'CREDIT')}] }) {
        postingInstructionId status violations { code detail } } }`)
      if (createPostingInstruction.status !== 'ACCEPTED') {
        throw new Error(JSON.stringify(createPostingInstruction))
      }
      return createPostingInstruction.postingInstructionId
    },
    date: () => dateCommittedPostings(bankContext(bank.bank)),
  }
}

/** Closes a period. */
export const closePeriod = async (bank: LedgerBank, period: string) =>
  (
    await bank.act(`mutation { closeAccountingPeriod(accountingPeriodId: "${period}") {
      state closings closedBy } }`)
  ).closeAccountingPeriod

/** Reopens a period with two people. */
export async function reopenPeriod(bank: LedgerBank, period: string) {
  await bank.act(`mutation { proposeAccountingPeriodReopening(accountingPeriodId: "${period}",
    reason: "A late invoice") { state } }`)
  const reopen = `mutation { reopenAccountingPeriod(accountingPeriodId: "${period}") { state } }`
  return (await bank.act(reopen, {}, paul)).reopenAccountingPeriod
}

/** The closing balance of each account in a period, in euros. */
export async function closingOf(bank: LedgerBank, period: string): Promise<Record<string, string>> {
  const { generalLedgerTrialBalances: balances } = await bank.act(`{
    generalLedgerTrialBalances(accountingPeriodId: "${period}", currency: "EUR") {
      debit credit lines { accountNumber opening debit credit closing } } }`)
  if (balances.length === 0) return {}
  return Object.fromEntries(
    balances[0].lines.map((line: any) => [line.accountNumber, line.closing]),
  )
}

/** Every violation, of the ledger and of the general ledger, and every difference between them. */
export async function findingsOf(bank: LedgerBank): Promise<unknown[]> {
  const found = await bank.act(`{ ledgerFindings { invariant subject detail }
    generalLedgerFindings { kind subject detail }
    ledgerReconciliation { accountNumber difference } }`)
  const differences = found.ledgerReconciliation.filter(
    (line: any) => Number(line.difference) !== 0,
  )
  return [...found.ledgerFindings, ...found.generalLedgerFindings, ...differences]
}
