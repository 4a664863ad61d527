import { expect } from 'vitest'
import { checkLedger } from '../../../ledger/check.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { accountFee, anAccount, aProduct, charge, eur, type FeeBank } from './fee-kit.ts'

/** Asserts that the ledger is consistent and that open receivables equal their control account. */
export async function expectBooksToTie(bank: FeeBank): Promise<void> {
  expect(await checkLedger(bank.bank.pool)).toEqual([])
  const [books] = await bank.rows(
    `select coalesce((select sum(case side when 'debit' then amount else -amount end)
         from ledger.entry where account_id = 'fee-receivable/EUR'), 0)::text as control,
       coalesce((select sum(amount_minor - collected_minor - waived_minor)
         from operations.fee_receivable where status = 'open'), 0)::text as open,
       coalesce((select sum(m.amount_minor) from operations.fee_receivable_movement m
         join operations.fee_receivable r using (fee_receivable_id) where r.status <> 'reversed'), 0)::text as moved,
       coalesce((select sum(collected_minor + waived_minor)
         from operations.fee_receivable where status <> 'reversed'), 0)::text as settled`,
  )
  expect(books!['control']).toBe(books!['open'])
  expect(books!['moved']).toBe(books!['settled'])
}

export const fields = `feeReceivableId feeCode status periodStart dueSince reasonCode waiverReason settledAt
  amount { amount currency } collected { amount } waived { amount } outstanding { amount currency }
  movements { kind amount { amount } postingInstructionId }`

export async function owedBy(
  bank: FeeBank,
  arrangementId: string,
  caller = aCaller(),
): Promise<any[]> {
  const { accountArrangement } = await bank.act(
    `query ($arrangementId: ID!) { accountArrangement(arrangementId: $arrangementId) {
      feeReceivables { ${fields} } } }`,
    { arrangementId },
    caller,
  )
  return accountArrangement.feeReceivables
}

export async function available(bank: FeeBank, arrangementId: string): Promise<string> {
  const query = `{ balance(arrangementId: "${arrangementId}") { available } }`
  return (await bank.act(query)).balance.available
}

/** An account that cannot pay the fees charged to it right after its opening. */
export async function anAccountThatOwes(
  bank: FeeBank,
  holds: string | undefined,
  ...amounts: string[]
) {
  const fees = amounts.map((amount, at) => ({
    ...accountFee,
    code: `fee-${at}`,
    name: `Fee ${at}`,
    amount: eur(amount),
  }))
  const productId = await aProduct(bank, ...fees)
  const arrangementId = await anAccount(bank, productId, holds ? { holds } : {})
  // The credit above is processed first, so that it does not trigger a collection later.
  await bank.collect()
  const runs = []
  for (const { code } of fees) {
    runs.push(await charge(bank, productId, { feeCode: code }))
    bank.clock.advance(60_000)
  }
  return { productId, arrangementId, runs }
}

export const runOnAccount = async (bank: FeeBank, arrangementId: string, ...actions: string[]) => {
  for (const each of actions) {
    await bank.act(`mutation { ${each}(arrangementId: "${arrangementId}") { state } }`)
  }
}

export const eventsOf = async (bank: FeeBank, feeReceivableId: string) =>
  (await bank.events())
    .filter(({ subject }) => subject === `fee-receivable/${feeReceivableId}`)
    .map(({ type, parties, data }) => [type.split('.').at(-1), parties, data['outstanding']])
