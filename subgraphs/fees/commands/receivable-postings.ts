import { bankCaller } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { attributePosting, readAttributions } from '../../../ledger/attribution.ts'
import { decideBooking, type BookingDecision } from '../../../ledger/book.ts'
import { internalAccountId, thirdPartyAccountId } from '../../../ledger/domain/account.ts'
import { bookedLeg, type Leg } from '../../../ledger/domain/balance.ts'
import type { Movement } from '../../../ledger/domain/instruction.ts'
import { noNarrative, termsAt, type Posting } from '../../../ledger/journal.ts'
import type { DueFee } from '../domain/fee-charge.ts'
import type { FeeReceivable } from '../model/fee-receivable.ts'
import type { FeeRunItem } from '../model/fee-run.ts'

/** The properties of a fee that every posting for it requires. */
type FeeTerms = Pick<
  DueFee,
  'feeRunId' | 'feeChargeId' | 'feeCode' | 'periodStart' | 'periodEnd' | 'currency'
>

/** Returns the fee that a fee run charges to an account. Its outcome must be `charged`. */
export function dueFeeOfItem(item: FeeRunItem): DueFee {
  return { ...item, feeChargeId: null, thirdParty: null, amountMinor: item.amountMinor! }
}

/** Returns the internal account that is credited when a fee is charged. */
const creditedAccountId = ({ thirdParty, currency }: DueFee): string =>
  thirdParty === null
    ? internalAccountId('fee-income', currency)
    : thirdPartyAccountId(thirdParty, currency)

function feePosting(
  now: Date,
  movement: Movement,
  fee: FeeTerms,
  name: string,
  metadata: object,
): Posting {
  const { feeRunId, feeChargeId, feeCode, periodStart, periodEnd } = fee
  const days = feeChargeId !== null ? periodStart : `${periodStart} to ${periodEnd}`
  const origin = feeChargeId !== null ? { feeChargeId } : { feeRunId }
  return {
    instruction: { ...termsAt(now), ...movement },
    narrative: {
      ...noNarrative,
      remittanceInformation: `${name}, ${days}`,
      metadata: { ...origin, feeCode, periodStart, ...metadata },
    },
  }
}

/** Returns the movement of an amount between two internal accounts of the bank. */
function internalTransfer(
  debitId: string,
  creditId: string,
  currency: string,
  amountMinor: bigint,
): Movement {
  const leg = (accountId: string, side: Leg['side']): Leg =>
    bookedLeg(accountId, side, amountMinor, currency)
  return { type: 'custom', legs: [leg(debitId, 'debit'), leg(creditId, 'credit')] }
}

/**
 * Returns the posting of a charge, which debits the customer and credits fee income or what is owed
 * to the third party.
 */
export function chargePosting(now: Date, fee: DueFee, name: string): Posting {
  const { arrangementId, amountMinor, currency } = fee
  const movement = {
    type: 'outbound-hard-settlement',
    accountId: arrangementId,
    contraId: creditedAccountId(fee),
    money: { amountMinor, currency },
  } as const
  return feePosting(now, movement, fee, name, {})
}

/**
 * Returns the posting of an unpaid fee, which debits fee receivable and credits fee income or what is
 * owed to the third party.
 */
export function accrualPosting(
  now: Date,
  fee: DueFee,
  name: string,
  feeReceivableId: string,
): Posting {
  const { arrangementId, amountMinor, currency } = fee
  const receivableId = internalAccountId('fee-receivable', currency)
  const movement = internalTransfer(receivableId, creditedAccountId(fee), currency, amountMinor)
  return feePosting(now, movement, fee, name, { arrangementId, feeReceivableId })
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

/**
 * Returns the posting of a waiver, which debits fee income and credits fee receivable. The bank bears
 * a waiver of a fee of a third party, which still gets the amount.
 */
export function waiverPosting(now: Date, receivable: FeeReceivable, amountMinor: bigint): Posting {
  const { arrangementId, currency, feeName, feeReceivableId } = receivable
  const [incomeId, receivableId] = [
    internalAccountId('fee-income', currency),
    internalAccountId('fee-receivable', currency),
  ]
  const movement = internalTransfer(incomeId, receivableId, currency, amountMinor)
  return feePosting(now, movement, receivable, feeName, { arrangementId, feeReceivableId })
}

/** Books postings as the bank, because only the bank can post to control accounts. */
export function bookAsBank(
  context: Context,
  postings: readonly Posting[],
): Promise<BookingDecision> {
  return decideBooking({ ...context, caller: bankCaller }, postings)
}

/**
 * Books a posting on internal accounts as the bank. The amounts belong to the product of an account and
 * the segment of its customer.
 */
export async function bookForAccount(
  context: Context,
  arrangementId: string,
  posting: Posting,
): Promise<BookingDecision> {
  const attributionOf = await readAttributions(context.bank, [arrangementId])
  return bookAsBank(context, [attributePosting(posting, attributionOf(arrangementId))])
}
