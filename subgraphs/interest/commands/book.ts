import type { Context } from '../../../kernel/environment/context.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { readReferenceRates } from '../../../kernel/writing/reference-rates.ts'
import type { AccrualInputs } from '../domain/accrued-day.ts'
import { isExempt } from '../domain/exemption.ts'
import {
  overdraftReferenceRateIds,
  overdraftTermsByDay,
  overdraftTermsOf,
  termsWithoutInterest,
  type OverdraftsFact,
} from '../domain/overdraft-terms.ts'
import type { InterestPosition } from '../domain/position.ts'
import { withDepositRates } from '../domain/term-deposit.ts'
import {
  isInterestBearing,
  referenceRateIdsOf,
  termsByDay,
  type ProductFact,
} from '../domain/terms.ts'
import { adjustedEvent, capitalizedEvent } from '../events.ts'
import { chargedEvent, overdraftAdjustedEvent } from '../overdraft-events.ts'
import { depositDays, overdraftDays } from '../store/accrual.ts'
import type { MovementBook } from '../store/movement.ts'
import { depositPayments, overdraftPayments } from '../store/payment.ts'
import { depositPositions, overdraftPositions, type PositionStore } from '../store/position.ts'
import { findApprovedRates } from '../store/rate-override.ts'
import { findExemptions } from '../store/tax-exemption.ts'
import { readSettlements } from '../store/term-deposit.ts'
import {
  adjustmentPosting,
  accrualPosting,
  capitalizationPosting,
  chargePosting,
  overdraftAccrualPosting,
  overdraftAdjustmentPosting,
} from './postings.ts'
import { publishExposures, readExposureStarts } from './exposures.ts'
import { readDeposits } from './read-deposits.ts'
import { readAccounts, readProducts } from './read-facts.ts'

type Terms = Pick<AccrualInputs, 'termsOn' | 'isExemptOn' | 'term'>

/**
 * A kind of interest with its own positions, days, payments and postings: what accounts earn, and what
 * their overdrafts cost. Both are accrued by the same rules. The balances and amounts of overdrafts are
 * those that the customer owes.
 */
export interface Book extends MovementBook {
  /** The name of the commit that accrues a page of accounts. */
  operation: string
  positions: PositionStore
  days: typeof depositDays
  payments: Omit<typeof depositPayments, 'readOwn'>
  /** Whether accounts under a product version have interest in this book. */
  isBearing(product: ProductFact, productVersion: string): boolean
  /** Whether an open position is accrued. */
  isAccrued(position: InterestPosition): boolean
  /** How it is derived what accounts owe, and since when; null if they cannot owe in this book. */
  exposures: { readStarts: typeof readExposureStarts; publish: typeof publishExposures } | null
  /** Reads the terms of accounts, in the order of the positions. */
  readTerms(context: Context, positions: readonly InterestPosition[]): Promise<Terms[]>
  accrualPosting: typeof accrualPosting
  adjustmentPosting: typeof adjustmentPosting
  paymentPosting: typeof capitalizationPosting
  adjustedEvent: typeof adjustedEvent
  paidEvent: typeof capitalizedEvent
}

const idsOf = (positions: readonly InterestPosition[]) =>
  positions.map(({ arrangementId }) => arrangementId)
const productIdsOf = (positions: readonly InterestPosition[]) =>
  positions.map(({ productId }) => productId)

/** The interest that accounts earn. */
export const deposits: Book = {
  operation: 'accrueInterest',
  sign: 1n,
  positions: depositPositions,
  days: depositDays,
  payments: depositPayments,
  // What term deposits paid out is part of the position from its effective day on, like the interest.
  async readOwn(context, ids) {
    const [payments, settlements] = await Promise.all([
      depositPayments.readOwn(context, ids),
      readSettlements(context, ids),
    ])
    return [...payments, ...settlements]
  },
  isBearing: isInterestBearing,
  isAccrued: ({ isBearing }) => isBearing,
  exposures: null,
  async readTerms(context, positions) {
    const ids = idsOf(positions)
    const [products, rates, exemptions, termsOf] = await Promise.all([
      readProducts(context, productIdsOf(positions)),
      findApprovedRates(context, ids),
      findExemptions(context, ids),
      readDeposits(context, ids),
    ])
    const referenceRateIds = [...products.values()].flatMap(referenceRateIdsOf)
    const referenceRates = await readReferenceRates(context, referenceRateIds)
    return positions.map(({ arrangementId, productId, productVersion }) => {
      const ofAccount = (record: { arrangementId: string }) =>
        record.arrangementId === arrangementId
      const ownExemptions = exemptions.filter(ofAccount)
      const product = products.get(productId)!
      const ownRates = rates.filter(ofAccount)
      const { deposits: ownDeposits, term } = termsOf(arrangementId, product)
      const ownTerms = termsByDay(product, productVersion, ownRates, referenceRates)
      return {
        termsOn: withDepositRates(ownTerms, ownDeposits),
        isExemptOn: (day) => isExempt(ownExemptions, day),
        term,
      }
    })
  },
  accrualPosting,
  adjustmentPosting,
  paymentPosting: capitalizationPosting,
  adjustedEvent,
  paidEvent: capitalizedEvent,
}

/** The interest that overdrafts cost. */
export const overdrafts: Book = {
  operation: 'accrueOverdraftInterest',
  sign: -1n,
  positions: overdraftPositions,
  days: overdraftDays,
  payments: overdraftPayments,
  readOwn: overdraftPayments.readOwn,
  isBearing: (product, productVersion) => overdraftTermsOf(product, productVersion) !== null,
  // An account whose overdraft bears no interest has days as well, which cost nothing.
  isAccrued: () => true,
  exposures: { readStarts: readExposureStarts, publish: publishExposures },
  async readTerms(context, positions) {
    const subjects = idsOf(positions).map((id) => `overdrafts/${id}`)
    const withoutTerms = positions.filter(({ isBearing }) => !isBearing)
    const [products, facts, accounts] = await Promise.all([
      readProducts(context, productIdsOf(positions)),
      readFacts(context, subjects),
      readAccounts(context, idsOf(withoutTerms)),
    ])
    const limits = new Map(
      accounts.map(({ arrangementId, overdraftLimitMinor }) => [
        arrangementId,
        BigInt(overdraftLimitMinor),
      ]),
    )
    const approvedOf = (index: number) =>
      (facts[index] as unknown as OverdraftsFact | null)?.overdrafts ?? []
    const referenceRateIds = positions.flatMap(({ productId, productVersion }, index) =>
      overdraftReferenceRateIds(products.get(productId)!, productVersion, approvedOf(index)),
    )
    const referenceRates = await readReferenceRates(context, referenceRateIds)
    return positions.map(({ arrangementId, productId, productVersion, currency }, index) => {
      const product = products.get(productId)!
      const approved = approvedOf(index)
      const limitMinor = limits.get(arrangementId)
      const termsOn =
        limitMinor === undefined
          ? overdraftTermsByDay(product, productVersion, currency, approved, referenceRates)
          : termsWithoutInterest(productVersion, currency, limitMinor)
      return { termsOn, isExemptOn: () => true, term: null }
    })
  },
  accrualPosting: overdraftAccrualPosting,
  adjustmentPosting: overdraftAdjustmentPosting,
  paymentPosting: chargePosting,
  adjustedEvent: overdraftAdjustedEvent,
  paidEvent: chargedEvent,
}
