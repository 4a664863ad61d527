import { expect } from 'vitest'
import type { Worker } from '../../../kernel/work/worker.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { checkLedger } from '../../../ledger/check.ts'
import { lending } from '../../../subgraphs/lending/index.ts'
import { provisioning } from '../../../subgraphs/provisioning/index.ts'
import { aCaller } from '../../kit/subgraph.ts'
import {
  aCustomer,
  accountFee,
  aFeeBank,
  anAccount,
  aProduct,
  eur,
  newId,
  type FeeBank,
} from '../fees/fee-kit.ts'

export const officer = aCaller({ subject: 'officer' })
export const manager = aCaller({ subject: 'manager' })

const workerOf = (name: string): Worker =>
  [...provisioning.workers, ...lending.workers].find((one) => one.name === name)!

/** Runs a worker until it has nothing left to do. */
export async function drain(bank: FeeBank, name: string): Promise<void> {
  while ((await workerOf(name).run(bankContext(bank.bank))) > 0);
}

/** Runs one batch of a worker. */
export const step = (bank: Pick<FeeBank, 'bank'>, name = 'provisioning.run'): Promise<number> =>
  workerOf(name).run(bankContext(bank.bank))

/** A bank with a customer, the whole graph and workers that a test runs itself. */
export async function aProvisioningBank(): Promise<FeeBank & { accountId: string }> {
  const bank = await aFeeBank()
  await aCustomer(bank, 'ada')
  const accountId = await anAccount(bank, await aProduct(bank, accountFee))
  return { ...bank, accountId }
}
export type ProvisioningBank = Awaited<ReturnType<typeof aProvisioningBank>>

const stages = (lgdPct: string) => [
  { stage: 'STAGE_1', pdPct: '2', lgdPct, securedLgdPct: '20' },
  { stage: 'STAGE_2', pdPct: '15.5', lgdPct, securedLgdPct: '20' },
  { stage: 'STAGE_3', pdPct: '100', lgdPct, securedLgdPct: '20' },
]

/** The parameters of every segment that the tests use. */
export const segments = [
  { segment: 'CONSUMER_LOAN', stages: stages('40') },
  { segment: 'REVOLVING', creditConversionPct: '75', stages: stages('50') },
]

export const propose = (bank: FeeBank, input: object = {}) =>
  bank.act(
    `mutation ($input: ProposeProvisioningTableInput!) {
      table: proposeProvisioningTable(input: $input) { provisioningTableId status } }`,
    { input: { effectiveFrom: '2026-01-31', reason: 'First table', segments, ...input } },
    officer,
  )

export const approve = (bank: FeeBank, id: string, caller = manager) =>
  bank.act(
    `mutation ($id: ID!) { table: approveProvisioningTable(provisioningTableId: $id) {
      status proposedBy decidedBy } }`,
    { id },
    caller,
  )

/** Proposes and approves a table. */
export async function aTable(bank: FeeBank, input: object = {}): Promise<string> {
  const { table } = await propose(bank, input)
  await approve(bank, table.provisioningTableId)
  return table.provisioningTableId
}

/** A consumer loan of 1,200.00 over twelve months, which nobody pays back unless the test does. */
export async function aLoan(bank: ProvisioningBank, more: object = {}): Promise<string> {
  const facilityId = newId('loan')
  const input = {
    facilityId,
    customerId: 'cus_ada',
    kind: 'CONSUMER_LOAN',
    limit: eur('1200.00'),
    ratePct: '6',
    installments: 12,
    disburse: false,
    ...more,
  }
  const open =
    'mutation ($input: OpenFacilityInput!) { openFacility(input: $input) { facilityId } }'
  await bank.act(open, { input })
  return facilityId
}

export const draw = (bank: ProvisioningBank, facilityId: string, amount = '1200.00') =>
  bank.act(
    `mutation ($input: CreateDrawdownInput!) { createDrawdown(input: $input) { drawdownId } }`,
    { input: { facilityId, amount, destination: { arrangementId: bank.accountId } } },
  )

/** A consumer loan that is paid out. */
export async function aLentLoan(bank: ProvisioningBank, more: object = {}): Promise<string> {
  const facilityId = await aLoan(bank, more)
  await draw(bank, facilityId)
  return facilityId
}

/** Moves the clock to a morning, and runs the end of day of all days before it. */
export async function morningOf(bank: FeeBank, date: string): Promise<void> {
  bank.clock.set(`${date}T06:00:00Z`)
  await drain(bank, 'lending.end-of-day')
}

/** Moves the clock to the first of a month, and provides for the month before. */
export async function provide(bank: FeeBank, date: string): Promise<void> {
  await morningOf(bank, date)
  await drain(bank, 'provisioning.schedule')
  await drain(bank, 'provisioning.run')
}

export const provisionOf = async (bank: FeeBank, facilityId: string) => {
  const { facility } = await bank.act(
    `query ($id: ID!) { facility(facilityId: $id) { provision { stage reasons stageSince
      improvingSince monthEnd exposure { amount } allowance { amount } history { nodes { stage monthEnd
      reasons daysPastDue pdPct lgdPct exposure { amount } expectedLoss { amount } allowance { amount }
      change { amount } used { amount } postingInstruction { postingInstructionId } } } } } }`,
    { id: facilityId },
  )
  return facility.provision
}

/** The balance of an internal account in minor units, positive for debits. */
export async function debitsOf(bank: FeeBank, code: string): Promise<number> {
  const [row] = await bank.rows(
    `select coalesce(sum(committed_debit - committed_credit), 0)::int as minor
     from ledger.current_balance where account_id = $1`,
    [`${code}/EUR`],
  )
  return row!['minor']
}

/** Checks that the allowances, the ledger and the report agree. */
export async function expectReconciled(bank: FeeBank): Promise<void> {
  expect(await checkLedger(bank.bank.pool)).toEqual([])
  const { provisioningFindings, allowanceReport } = await bank.act(
    `{ provisioningFindings { invariant subject detail }
      allowanceReport { totals { allowance { amount } } balances { currency difference { amount }
      allowance { amount } ledgerBalance { amount } } } }`,
  )
  expect(provisioningFindings).toEqual([])
  const minor = ({ amount }: { amount: string }) => Math.round(Number(amount) * 100)
  const held = 0 - (await debitsOf(bank, 'loan-loss-allowance'))
  for (const { difference, ledgerBalance } of allowanceReport.balances) {
    expect([difference.amount, minor(ledgerBalance)]).toEqual(['0.00', held])
  }
  const total = allowanceReport.totals.map(({ allowance }: any) => minor(allowance))
  expect(total.reduce((sum: number, each: number) => sum + each, 0)).toBe(held)
}

/** The code of the problem with which an action is rejected. */
export const codeOf = (action: Promise<unknown>) =>
  action.then(
    () => 'done',
    (problem: { code: string }) => problem.code,
  )
/** Starts a run. */
export const start = (bank: FeeBank, input: object) =>
  bank.act(
    `mutation ($input: StartProvisioningRunInput!) { run: startProvisioningRun(input: $input) {
      provisioningRunId } }`,
    { input },
  )
export const runOf = async (bank: FeeBank, id: string) => {
  const { provisioningRun } = await bank.act(
    `query ($id: ID!) { provisioningRun(provisioningRunId: $id) { status failureCode processed monthEnd
      dryRun totals { segment stage facilities exposure { amount } allowance { amount } change { amount } }
      items { nodes { facility { facilityId } stage allowance { amount } } } } }`,
    { id },
  )
  return provisioningRun
}
export const preview = async (bank: FeeBank, facilityId: string) => {
  const fields = `stage reasons daysPastDue pdPct lgdPct exposure { amount } expectedLoss { amount }
    allowance { amount } change { amount }`
  const query = `query ($id: ID!) { provisionPreview(facilityId: $id) { ${fields} } }`
  return (await bank.act(query, { id: facilityId })).provisionPreview
}
