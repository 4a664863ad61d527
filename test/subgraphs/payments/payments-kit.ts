import { expect } from 'vitest'
import { payments } from '../../../subgraphs/payments/index.ts'
import { bankContext, type Worker } from '../../../kernel/work/worker.ts'
import { checkLedger } from '../../../ledger/check.ts'
import { openInternalAccounts } from '../../../ledger/own-accounts.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, pay, post } from './kit.ts'

export const ada = aCaller({ partyId: 'pty_ada' })
export const grace = aCaller({ partyId: 'pty_grace' })
export const adasIban = 'NL12BKGR0000000001'
export const gracesIban = 'NL82BKGR0000000002'
/** The IBAN of another bank, from the examples of the standard. */
export const outside = 'DE89370400440532013000'

/** Monday, 2 March 2026, nine in the morning: Ada has 1,000.00 and Grace nothing. */
export async function aBankWithMoney(startsAt?: string): Promise<RunningSubgraph> {
  const bank = await aSubgraph(payments, startsAt)
  // The simulated rail to other banks exists only in the sandbox.
  bank.bank.environment = 'sandbox'
  for (const [name, iban] of [
    ['ada', adasIban],
    ['grace', gracesIban],
  ] as const) {
    await anAccount(bank, `arr_${name}`)
    const fact = { arrangementId: `arr_${name}`, partyId: `pty_${name}`, currency: 'EUR' }
    await publishAccount(bank, iban, fact)
  }
  await openInternalAccounts(bank.bank, ['nostro/EUR', 'settlement-sct/EUR'])
  await post(bank, pay('arr_ada', '1000.00'))
  return bank
}

export async function publishAccount(
  bank: RunningSubgraph,
  iban: string,
  fact: { arrangementId: string },
): Promise<void> {
  for (const subject of [`arrangement/${fact.arrangementId}`, `account-number/${iban}`]) {
    await bank.rows('insert into kernel.fact values ($1, 1, $2)', [subject, fact])
  }
}

const fields = `paymentId direction rail isSimulated state amount { amount currency } executionDate
  debtorArrangement { arrangementId } creditorArrangement { arrangementId } debtorIban debtorName creditorIban
  creditorName endToEndId remittanceInformation batchId cutOffAt settledAt reasonCode`

export const inside = (more: object = {}) => ({
  debtorArrangementId: 'arr_ada',
  creditorArrangementId: 'arr_grace',
  amount: { amount: '10.00', currency: 'EUR' },
  ...more,
})

export const abroad = (more: object = {}) => ({
  debtorArrangementId: 'arr_ada',
  creditorIban: outside,
  creditorName: 'Konrad Zuse',
  amount: { amount: '10.00', currency: 'EUR' },
  ...more,
})

export const transfer = (bank: RunningSubgraph, input: object, options: object = {}) =>
  bank.execute(
    `mutation ($input: CreateTransferInput!) { payment: createTransfer(input: $input) { ${fields} } }`,
    { input },
    options,
  )

export const cancel = (bank: RunningSubgraph, id: string, options: object = {}) =>
  bank.execute(
    `mutation ($id: ID!) { payment: cancelPayment(paymentId: $id) { ${fields} } }`,
    { id },
    options,
  )

export const receive = (bank: RunningSubgraph, input: object, options: object = {}) =>
  bank.execute(
    `mutation ($input: SimulateIncomingPaymentInput!) {
      payment: simulateIncomingPayment(input: $input) { ${fields} } }`,
    { input },
    options,
  )

export const paymentOf = async (bank: RunningSubgraph, id: string, options: object = {}) =>
  bank.execute(`query ($id: ID!) { payment(paymentId: $id) { ${fields} } }`, { id }, options)

export const list = async (bank: RunningSubgraph, variables: object = {}, options: object = {}) => {
  const answer = await bank.execute(
    `query ($account: ID, $order: ID, $state: PaymentState, $amount: MoneyInput, $after: String, $first: Int) {
      payments(arrangementId: $account, standingOrderId: $order, state: $state, amount: $amount,
        after: $after, first: $first) {
        nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`,
    { ...variables },
    options,
  )
  return answer.data.payments
}

/** Runs one batch of a worker; returns how many items it processed. */
export function runOnce(bank: RunningSubgraph, name: string): Promise<number> {
  const worker = payments.workers!.find((each) => each.name === name)!
  return worker.run(bankContext(bank.bank))
}

/** Runs every payment worker until none has anything left to do. */
export async function work(bank: RunningSubgraph): Promise<void> {
  const mine = payments.workers!.filter(({ name }) => name.startsWith('payments.'))
  for (let done = 1; done > 0;) {
    done = 0
    for (const worker of mine) {
      const isDue = await isWorkDue(bank, worker)
      const count = await worker.run(bankContext(bank.bank))
      // Otherwise the work would wait for the worker's interval.
      if (count > 0 && !worker.wakeOn)
        expect({ worker: worker.name, isDue }).toMatchObject({ isDue: true })
      done += count
    }
  }
}

/** Whether the condition of a worker says that there is work; true if it has none. */
async function isWorkDue({ bank }: RunningSubgraph, { isDueSql }: Worker): Promise<boolean> {
  if (!isDueSql) return true
  const { rows } = await bank.pool.query(`select $1::timestamptz, (${isDueSql}) as "isDue"`, [
    bank.now(),
  ])
  return rows[0].isDue as boolean
}

/** The booked amount of an account and the amount reserved to leave it, in minor units. */
export async function standing(bank: RunningSubgraph, accountId: string) {
  const [row] = await bank.rows(
    `select type, committed_credit - committed_debit as committed,
       pending_out_debit - pending_out_credit as promised
     from ledger.current_balance where account_id = $1`,
    [accountId],
  )
  const committed = Number(row!['committed'])
  // An asset grows by debits. (0 - 0 is 0, but -0 is not.)
  const onItsSide = row!['type'] === 'asset' ? 0 - committed : committed
  return { committed: onItsSide, promised: Number(row!['promised']) }
}

/** The types of the events emitted for a subject, in their order. */
export const eventsOf = async (bank: RunningSubgraph, subject: string) =>
  (await bank.events())
    .filter((event) => event.subject === subject)
    .map(({ type }) => type.split('.').at(-1))

export const findings = (bank: RunningSubgraph) => checkLedger(bank.bank.pool)
