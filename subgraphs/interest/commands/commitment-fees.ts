import { blocksDebits } from '../../../ledger/domain/block.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { commitmentFeeByDay, hasCommitmentFee } from '../domain/commitment-fee.ts'
import type { OverdraftsFact } from '../domain/overdraft-terms.ts'
import type { InterestPosition } from '../domain/position.ts'
import { feeAdjustedEvent, feeChargedEvent } from '../overdraft-events.ts'
import { commitmentFeeDays } from '../store/accrual.ts'
import { commitmentFeePayments } from '../store/payment.ts'
import { commitmentFeePositions } from '../store/position.ts'
import type { Book } from './book.ts'
import { feeAccrualPosting, feeAdjustmentPosting, feeChargePosting } from './postings.ts'
import { readAccounts, readProducts } from './read-facts.ts'

/**
 * The fees for the unused parts of limits. Each day is accrued on what the customer owes, as the
 * interest of overdrafts is.
 */
export const commitmentFees: Book = {
  operation: 'accrueCommitmentFees',
  sign: -1n,
  positions: commitmentFeePositions,
  days: commitmentFeeDays,
  payments: commitmentFeePayments,
  readOwn: commitmentFeePayments.readOwn,
  isBearing: hasCommitmentFee,
  isAccrued: ({ isBearing }) => isBearing,
  exposures: null,
  readTerms,
  accrualPosting: feeAccrualPosting,
  adjustmentPosting: feeAdjustmentPosting,
  paymentPosting: feeChargePosting,
  adjustedEvent: feeAdjustedEvent,
  paidEvent: feeChargedEvent,
}

async function readTerms(context: Context, positions: readonly InterestPosition[]) {
  const ids = positions.map(({ arrangementId }) => arrangementId)
  const [products, facts, accounts] = await Promise.all([
    readProducts(
      context,
      positions.map(({ productId }) => productId),
    ),
    readFacts(
      context,
      ids.map((id) => `overdrafts/${id}`),
    ),
    readAccounts(context, ids),
  ])
  const blocks = new Map(
    accounts.map(({ arrangementId, blockedFor }) => [arrangementId, blockedFor]),
  )
  return positions.map(({ arrangementId, productId, productVersion }, index) => {
    const { overdrafts = [] } = (facts[index] ?? {}) as Partial<OverdraftsFact>
    const isBlocked = blocksDebits(blocks.get(arrangementId) ?? null)
    const product = products.get(productId)!
    const termsOn = commitmentFeeByDay(product, productVersion, overdrafts, isBlocked)
    return { termsOn, isExemptOn: () => true, term: null }
  })
}
