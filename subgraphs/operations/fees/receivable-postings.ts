import { bankCaller } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { bookWith, type Booked } from '../../_ledger/book.ts'
import { internalAccountId, type ChartCode } from '../../_ledger/domain/account.ts'
import { defaultAddress, type Leg } from '../../_ledger/domain/balance.ts'
import type { Movement } from '../../_ledger/domain/instruction.ts'
import { noNarrative, termsAt, type Posting } from '../../_ledger/journal.ts'
import type { FeeReceivable } from '../domain/fee-receivable.ts'
import type { FeeRunItem } from '../domain/fee-run-item.ts'

/** What every posting of a fee names: the fee and its period. */
type Fee = Pick<FeeRunItem, 'feeRunId' | 'feeCode' | 'periodStart' | 'periodEnd' | 'currency'>

function narrated(now: Date, movement: Movement, fee: Fee, name: string, more: object): Posting {
  const { feeRunId, feeCode, periodStart, periodEnd } = fee
  return {
    instruction: { ...termsAt(now), ...movement },
    narrative: {
      ...noNarrative,
      remittanceInformation: `${name}, ${periodStart} to ${periodEnd}`,
      metadata: { feeRunId, feeCode, periodStart, ...more },
    },
  }
}

/** Moves an amount between two of the bank's own accounts of the currency of a fee. */
function between(
  debited: ChartCode,
  credited: ChartCode,
  currency: string,
  amountMinor: bigint,
): Movement {
  const leg = (code: ChartCode, side: Leg['side']): Leg => ({
    accountId: internalAccountId(code, currency),
    address: defaultAddress,
    phase: 'committed',
    side,
    amountMinor,
    currency,
  })
  return { type: 'custom', legs: [leg(debited, 'debit'), leg(credited, 'credit')] }
}

/** Takes a fee from the account at once: debits the customer, credits fee income. */
export function chargePosting(now: Date, item: FeeRunItem, name: string): Posting {
  const { arrangementId, amountMinor, currency } = item
  const movement = {
    type: 'outbound-hard-settlement',
    accountId: arrangementId,
    contraId: internalAccountId('fee-income', currency),
    money: { amountMinor: amountMinor!, currency },
  } as const
  return narrated(now, movement, item, name, {})
}

/** Books a fee that could not be collected: debits the fee receivable, credits fee income. */
export function accrualPosting(
  now: Date,
  item: FeeRunItem,
  name: string,
  feeReceivableId: string,
): Posting {
  const { arrangementId, amountMinor, currency } = item
  const movement = between('fee-receivable', 'fee-income', currency, amountMinor!)
  return narrated(now, movement, item, name, { arrangementId, feeReceivableId })
}

/** Collects a part of a receivable: debits the customer, credits the fee receivable. */
export function collectionPosting(
  now: Date,
  receivable: FeeReceivable,
  amountMinor: bigint,
): Posting {
  const { arrangementId, currency, feeName, feeReceivableId } = receivable
  const movement = {
    type: 'outbound-hard-settlement',
    accountId: arrangementId,
    contraId: internalAccountId('fee-receivable', currency),
    money: { amountMinor, currency },
  } as const
  return narrated(now, movement, receivable, feeName, { feeReceivableId })
}

/** Gives up a part of a receivable: debits fee income, credits the fee receivable. */
export function waiverPosting(now: Date, receivable: FeeReceivable, amountMinor: bigint): Posting {
  const { arrangementId, currency, feeName, feeReceivableId } = receivable
  const movement = between('fee-income', 'fee-receivable', currency, amountMinor)
  return narrated(now, movement, receivable, feeName, { arrangementId, feeReceivableId })
}

/** Books as the bank itself, whoever requested it: control accounts are the bank's own to post to. */
export function bookAsBank(context: Context, postings: readonly Posting[]): Promise<Booked> {
  return bookWith({ ...context, caller: bankCaller }, postings)
}
