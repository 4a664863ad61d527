import { expect } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aCaller, employee } from '../../kit/subgraph.ts'
import { eur, type FeeBank } from './fee-kit.ts'
import { expectBooksToTie } from './receivable-kit.ts'

export const colleague = aCaller({ subject: 'colleague' })

export const returnFee = {
  code: 'return',
  name: 'Returned payment',
  frequency: 'ON_EVENT',
  trigger: 'PAYMENT_RETURNED',
  amount: eur('3.50'),
}
export const sendingFee = {
  code: 'sending',
  name: 'Payment to another bank',
  frequency: 'ON_EVENT',
  trigger: 'PAYMENT_SENT',
  percent: '1',
  minimum: eur('0.50'),
  maximum: eur('2.00'),
}
export const notaryFee = {
  code: 'notary',
  name: 'Notarial certificate',
  frequency: 'ON_REQUEST',
  amount: eur('40.00'),
  thirdParty: 'notary',
}

export const fields = `feeChargeId arrangementId productVersion feeCode feeName trigger triggerReference
  thirdParty status outcomeReason occurredAt reason refundReason amount { amount currency }
  basis { amount currency } postingInstruction { postingInstructionId } refundedBy { postingInstructionId }
  receivable { feeReceivableId status outstanding { amount } } owed { amount } arrangement { arrangementId }`

export async function chargesOf(bank: FeeBank, arrangementId: string, caller = aCaller()) {
  const { feeCharges } = await bank.act(
    `query ($arrangementId: ID!) { feeCharges(arrangementId: $arrangementId) { nodes { ${fields} } } }`,
    { arrangementId },
    caller,
  )
  return feeCharges.nodes as any[]
}

export const chargeFee = async (bank: FeeBank, input: object, caller = employee) =>
  (
    await bank.act(
      `mutation ($input: ChargeFeeInput!) { chargeFee(input: $input) { ${fields} } }`,
      { input },
      caller,
    )
  ).chargeFee

export const preview = async (bank: FeeBank, input: object, caller = employee) =>
  (
    await bank.act(
      `query ($input: ChargeFeeInput!) { feeChargePreview(input: $input) { feeCode feeName
        amount { amount currency } thirdParty outcome outcomeReason } }`,
      { input },
      caller,
    )
  ).feeChargePreview

export const refund = async (
  bank: FeeBank,
  step: 'propose' | 'approve' | 'reject',
  feeChargeId: string,
  caller = employee,
) => {
  const more = step === 'propose' ? ', reason: "Our mistake"' : ''
  const name = `${step}FeeRefund`
  const answer = await bank.act(
    `mutation { ${name}(feeChargeId: "${feeChargeId}"${more}) { ${fields} } }`,
    {},
    caller,
  )
  return answer[name]
}

/** Sends a payment to another bank. A name such as `RETURN AC04` makes the other bank return it. */
export async function send(bank: FeeBank, arrangementId: string, amount: string, name = 'Konrad') {
  const { createTransfer } = await bank.act(
    `mutation ($input: CreateTransferInput!) { createTransfer(input: $input) { paymentId } }`,
    {
      input: {
        debtorArrangementId: arrangementId,
        creditorIban: 'DE89370400440532013000',
        creditorName: name,
        amount: eur(amount),
      },
    },
  )
  return createTransfer.paymentId as string
}

/** Moves the clock by some days and runs the rails and the standing orders. */
export async function passDays(bank: FeeBank, days: number): Promise<void> {
  bank.clock.advance(days * 86_400_000)
  const names = ['payments.run-sct', 'payments.execute-standing-orders']
  const workers = payments.workers!.filter(({ name }) => names.includes(name))
  for (let done = 1; done > 0;) {
    done = 0
    for (const worker of workers) done += await worker.run(bankContext(bank.bank))
  }
}

/** What the bank owes to a third party, according to the entries of its account. */
export async function payable(bank: FeeBank, thirdParty: string): Promise<string> {
  const [row] = await bank.rows(
    `select coalesce(sum(case side when 'credit' then amount else -amount end), 0)::text as owed
     from ledger.entry where account_id = $1`,
    [`fee-payable/EUR/${thirdParty}`],
  )
  return row!['owed'] as string
}

/**
 * Asserts that the books tie: what is charged and not refunded is the credit of the third parties and
 * of the income, and the open receivables are their control account.
 */
export async function expectChargesToTie(bank: FeeBank): Promise<void> {
  await expectBooksToTie(bank)
  const [books] = await bank.rows(
    `select coalesce((select sum(case side when 'credit' then amount else -amount end)
         from ledger.entry where starts_with(account_id, 'fee-payable/')), 0)::text as owed,
       coalesce((select sum(amount_minor) from operations.fee_charge
         where third_party is not null and status in ('charged', 'refund-proposed')), 0)::text as charged`,
  )
  expect(books!['owed']).toBe(books!['charged'])
}

/** The events of a charge, in their order: what happened, and who receives it. */
export const chargeEventTypes = async (bank: FeeBank, feeChargeId: string) =>
  (await bank.events())
    .filter(({ subject }) => subject === `fee-charge/${feeChargeId}`)
    .map(({ type, parties }) => [type.split('.').at(-1), parties])
