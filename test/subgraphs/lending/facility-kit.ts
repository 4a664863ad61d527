import { expect } from 'vitest'
import { lending } from '../../../subgraphs/lending/index.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { command } from '../../../kernel/writing/command.ts'
import { decideBooking } from '../../../ledger/book.ts'
import { noNarrative } from '../../../ledger/journal.ts'
import { checkLending } from '../../../subgraphs/lending/store/servicing/check.ts'
import { checkLedger } from '../../../ledger/check.ts'
import {
  aCaller,
  aSubgraph,
  employee,
  type Answer,
  type TestBank,
  type RunningSubgraph,
} from '../../kit/subgraph.ts'
import { anAccount } from '../payments/kit.ts'

export const ada = aCaller({ partyId: 'pty_ada' })
export const grace = aCaller({ partyId: 'pty_grace' })
export const eur = (amount: string) => ({ amount, currency: 'EUR' })

/** Monday, 2 March 2026, nine in the morning: Ada and Grace are customers with an account each. */
export async function aLender(startsAt?: string): Promise<RunningSubgraph> {
  const bank = await aSubgraph(lending, startsAt)
  for (const name of ['ada', 'grace']) {
    await anAccount(bank, `arr_${name}`)
    const partyId = `pty_${name}`
    const account = { arrangementId: `arr_${name}`, partyId, currency: 'EUR' }
    await publish(bank, `arrangement/arr_${name}`, account)
    await publish(bank, `customer/cus_${name}`, { partyId, status: 'active' })
  }
  await publish(bank, 'customer/cus_asleep', { partyId: 'pty_asleep', status: 'dormant' })
  await publish(bank, 'account-number/NL12BKGR0000000001', {
    arrangementId: 'arr_ada',
    currency: 'EUR',
  })
  return bank
}

export async function publish(bank: RunningSubgraph, subject: string, data: object): Promise<void> {
  const sql =
    'insert into kernel.fact values ($1, 1, $2) on conflict (subject) do update set data = excluded.data'
  await bank.rows(sql, [subject, data])
}

/** Publishes a product with a fee for late installments. */
export function publishLateProduct(
  bank: RunningSubgraph,
  productId: string,
  feeMinor: number,
  parameters: Record<string, string>,
): Promise<void> {
  const fee = {
    code: 'late-payment',
    frequency: 'per-late-installment',
    amount: { amountMinor: String(feeMinor), currency: 'EUR' },
    tiers: [],
    waivers: [],
  }
  const values = Object.entries(parameters).map(([name, value]) => ({ name, default: value }))
  const version = { version: '1', status: 'active', parameters: values, fees: [fee] }
  return publish(bank, `product/${productId}`, { versions: [version] })
}

export const facilityFields = `facilityId kind state currency limit { amount } available { amount }
  outstandingPrincipal { amount } accruedInterest { amount } maturityDate
  nextInstallment { dueDate payment { amount } } schedule { number dueDate payment interest principal balance }
  amountDue { amount } delinquency { stage daysPastDue arrears { amount } oldestDueDate } accruedThrough`

const drawdownFields = `drawdownId facilityId amount { amount currency } status valueDate reasonCode
  destination { arrangementId } destinationIban isSimulated availableLimitBefore { amount } availableLimitAfter { amount }
  outstandingPrincipal { amount } scheduleVersion nextInstallment { dueDate payment { amount } } postingInstructionId`

/** A consumer loan of 12,000.00 at 6 % over twelve months, disbursed at once unless overridden. */
export const aLoan = (more: object = {}) => ({
  customerId: 'cus_ada',
  kind: 'CONSUMER_LOAN',
  limit: eur('12000.00'),
  ratePct: '6',
  installments: 12,
  settlementArrangementId: 'arr_ada',
  disburse: true,
  ...more,
})

/** An undrawn revolving limit of 10,000.00 at 6 %. */
export const aLimit = (more: object = {}) => ({
  customerId: 'cus_ada',
  kind: 'REVOLVING',
  limit: eur('10000.00'),
  ratePct: '6',
  settlementArrangementId: 'arr_ada',
  ...more,
})

export const open = (bank: TestBank, input: object, options: object = {}): Promise<Answer> =>
  bank.execute(
    `mutation ($input: OpenFacilityInput!) { facility: openFacility(input: $input) { ${facilityFields} } }`,
    { input },
    options,
  )

/** Opens a facility and returns it; fails the test when it is rejected. */
export async function opened(bank: TestBank, input: object) {
  const { data, errors } = await open(bank, input)
  expect(errors).toEqual([])
  return data.facility
}

export const draw = (bank: TestBank, input: object, options: object = {}): Promise<Answer> =>
  bank.execute(
    `mutation ($input: CreateDrawdownInput!) { drawdown: createDrawdown(input: $input) { ${drawdownFields} } }`,
    { input },
    options,
  )

export const previewDrawdown = (bank: TestBank, input: object): Promise<Answer> =>
  bank.execute(
    `query ($input: CreateDrawdownInput!) { preview: drawdownPreview(input: $input) {
      amount { amount currency } valueDate availableLimitBefore { amount } availableLimitAfter { amount }
      outstandingPrincipal { amount } scheduleVersion nextInstallment { dueDate payment { amount } }
      before { installment { amount } maturityDate totalInterest { amount } }
      after { installment { amount } maturityDate totalInterest { amount } }
      installments { number dueDate payment interest principal balance } } }`,
    { input },
  )

export const runDrawdownMutation = (
  bank: TestBank,
  name: string,
  drawdownId: string,
  options: object = { caller: employee },
) =>
  bank.execute(
    `mutation ($id: ID!) { drawdown: ${name}(drawdownId: $id) { ${drawdownFields} } }`,
    { id: drawdownId },
    options,
  )

export async function facilityOf(bank: TestBank, facilityId: string, options: object = {}) {
  const { data, errors } = await bank.execute(
    `query ($id: ID!) { facility(facilityId: $id) { ${facilityFields}
      scheduleVersions { version cause figures { installment { amount } maturityDate totalInterest { amount } } } } }`,
    { id: facilityId },
    options,
  )
  expect(errors).toEqual([])
  return data.facility
}

/** Runs one batch of a worker; returns how many items it processed. */
export function runOnce(bank: RunningSubgraph, name: string): Promise<number> {
  const worker = lending.workers.find((each) => each.name === name)!
  return worker.run(bankContext(bank.bank))
}

/** The booked balance of an account at an address, in minor units, positive on the account's normal side. */
export async function booked(bank: RunningSubgraph, accountId: string, address = 'default') {
  const [row] = await bank.rows(
    `select case normal_side when 'debit' then committed_debit - committed_credit
       else committed_credit - committed_debit end as amount
     from ledger.current_balance join ledger.account using (account_id, normal_side)
     where account_id = $1 and address = $2`,
    [accountId, address],
  )
  return Number(row!['amount'])
}

/** The types of the events emitted for a subject, in their order. */
export const eventsOf = async (bank: RunningSubgraph, subject: string) =>
  (await bank.events())
    .filter((event) => event.subject === subject)
    .map(({ type }) => type.split('.').at(-1))

/** Every inconsistency in the ledger, and every facility that disagrees with it. */
export const findings = async (bank: RunningSubgraph) => [
  ...(await checkLedger(bank.bank.pool)),
  ...(await checkLending(bankContext(bank.bank))),
]

const repaymentFields = `repaymentId facilityId status isCollected amount { amount currency } paymentDate
  source { arrangementId } reference allocations { installment part amount } extraInterest { amount }
  extraPrincipal { amount } postingInstructionId`

export const payBack = (bank: TestBank, input: object, options: object = {}): Promise<Answer> =>
  bank.execute(
    `mutation ($input: RecordRepaymentInput!) { repayment: recordRepayment(input: $input) { ${repaymentFields} } }`,
    { input },
    options,
  )

export const withdraw = (
  bank: TestBank,
  repaymentId: string,
  options: object = { caller: employee },
) =>
  bank.execute(
    `mutation ($id: ID!) { repayment: reverseRepayment(repaymentId: $id) { ${repaymentFields} } }`,
    { id: repaymentId },
    options,
  )

/** Credits an account with money from outside the bank. */
export async function fund(bank: RunningSubgraph, accountId: string, amountMinor: bigint) {
  const money = { amountMinor, currency: 'EUR' }
  const instruction = {
    type: 'inbound-hard-settlement' as const,
    accountId,
    contraId: 'settlement/EUR',
    money,
    valueDate: bank.bank.now().toISOString().slice(0, 10),
    isAdvice: false,
    clientTransactionId: null,
  }
  const context = bankContext(bank.bank)
  await command(context, 'fund', {}, async () => {
    const { writes, events } = await decideBooking(context, [
      { instruction, narrative: noNarrative },
    ])
    return { result: null, writes, events }
  })
}

/** Moves the clock to a morning and runs the end of day for all days before it. */
export async function morningOf(bank: RunningSubgraph, date: string): Promise<void> {
  bank.clock.set(`${date}T06:00:00Z`)
  while ((await runOnce(bank, 'lending.end-of-day')) > 0);
}

export async function quoteOf(bank: TestBank, facilityId: string, on: string | null = null) {
  const { data, errors } = await bank.execute(
    `query ($id: ID!, $on: Date) { facility(facilityId: $id) { payoffQuote(on: $on) { on
      principal { amount } interest { amount } due { amount } total { amount } } } }`,
    { id: facilityId, on },
  )
  expect(errors).toEqual([])
  return data.facility.payoffQuote
}
