import { bankCaller } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { decideBooking, type BookingDecision } from '../../../ledger/book.ts'
import { internalAccountId, type ChartCode } from '../../../ledger/domain/account.ts'
import { bookedLeg, type Leg } from '../../../ledger/domain/balance.ts'
import type { Movement } from '../../../ledger/domain/instruction.ts'
import { noNarrative, termsAt, type Posting } from '../../../ledger/journal.ts'
import type { FeeReceivable } from '../model/fee-receivable.ts'
import type { FeeRunItem } from '../model/fee-run.ts'

/** The properties of a fee that every posting for it requires. */
type FeeTerms = Pick<FeeRunItem, 'feeRunId' | 'feeCode' | 'periodStart' | 'periodEnd' | 'currency'>

function feePosting(
  now: Date,
  movement: Movement,
  fee: FeeTerms,
  name: string,
  metadata: object,
): Posting {
  const { feeRunId, feeCode, periodStart, periodEnd } = fee
  return {
    instruction: { ...termsAt(now), ...movement },
    narrative: {
      ...noNarrative,
      remittanceInformation: `${name}, ${periodStart} to ${periodEnd}`,
      metadata: { feeRunId, feeCode, periodStart, ...metadata },
    },
  }
}

/** Returns the movement of an amount between two internal accounts of the bank. */
function internalTransfer(
  debitCode: ChartCode,
  creditCode: ChartCode,
  currency: string,
  amountMinor: bigint,
): Movement {
  const leg = (code: ChartCode, side: Leg['side']): Leg =>
    bookedLeg(internalAccountId(code, currency), side, amountMinor, currency)
  return { type: 'custom', legs: [leg(debitCode, 'debit'), leg(creditCode, 'credit')] }
}

/** Returns the posting of a charge, which debits the customer and credits fee income. */
export function chargePosting(now: Date, item: FeeRunItem, name: string): Posting {
  const { arrangementId, amountMinor, currency } = item
  const movement = {
    type: 'outbound-hard-settlement',
    accountId: arrangementId,
    contraId: internalAccountId('fee-income', currency),
    money: { amountMinor: amountMinor!, currency },
  } as const
  return feePosting(now, movement, item, name, {})
}

/** Returns the posting of an unpaid fee, which debits fee receivable and credits fee income. */
export function accrualPosting(
  now: Date,
  item: FeeRunItem,
  name: string,
  feeReceivableId: string,
): Posting {
  const { arrangementId, amountMinor, currency } = item
  const movement = internalTransfer('fee-receivable', 'fee-income', currency, amountMinor!)
  return feePosting(now, movement, item, name, { arrangementId, feeReceivableId })
}

/** Returns the posting of a collection, which debits the customer and credits fee receivable. */
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
  return feePosting(now, movement, receivable, feeName, { feeReceivableId })
}

/** Returns the posting of a waiver, which debits fee income and credits fee receivable. */
export function waiverPosting(now: Date, receivable: FeeReceivable, amountMinor: bigint): Posting {
  const { arrangementId, currency, feeName, feeReceivableId } = receivable
  const movement = internalTransfer('fee-income', 'fee-receivable', currency, amountMinor)
  return feePosting(now, movement, receivable, feeName, { arrangementId, feeReceivableId })
}

/** Books postings as the bank, because only the bank can post to control accounts. */
export function bookAsBank(
  context: Context,
  postings: readonly Posting[],
): Promise<BookingDecision> {
  return decideBooking({ ...context, caller: bankCaller }, postings)
}
